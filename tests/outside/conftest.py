"""The package beside this file is installed by a test, and is not one of these tests itself."""

collect_ignore = ["wordgap"]
