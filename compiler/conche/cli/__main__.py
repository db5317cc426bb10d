"""`python -m conche.cli`: the same as `conche`."""

from conche.cli import main

if __name__ == "__main__":
    main()
