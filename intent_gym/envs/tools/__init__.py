"""Requests that are answered by calling functions (BFCL): grader, loader, lint of the stored answers."""
