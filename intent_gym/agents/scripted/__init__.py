"""Agents without a language model: they read by lexical cues and plan with the host's public tables."""
