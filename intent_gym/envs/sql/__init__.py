"""SQL: Spider's questions on its databases, the grader and the loader of the original files."""
