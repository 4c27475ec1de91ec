"""Code: HumanEval and LiveCodeBench, their graders and the loaders of their original files."""
