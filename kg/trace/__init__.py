"""From a number, two names or an id to what is known of it. Rows come from saved questions only; nothing prints."""
