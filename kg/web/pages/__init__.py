"""The pages: each asks the session one thing and says what its template shows and what its twins hold."""
