"""Word problems with one number as their answer (GSM8K): grader, loader, solutions as expressions."""
