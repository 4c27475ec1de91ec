"""Tables told in one sentence (ToTTo): grader and loader."""
