"""Summaries of many documents with citations (SummHay): grader without a model, loader."""
