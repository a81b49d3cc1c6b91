"""`python -m situ`: the same as the command `situ`."""

from situ.cli import main

main()
