"""The functions of `import situ`: what the command line does, for programs."""
