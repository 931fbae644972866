"""Lets `python -m kg` run the command line of the code that is on the path."""

from kg.cli import main

if __name__ == "__main__":
    main()
