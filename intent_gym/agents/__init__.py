"""Agents: scripted baselines, language-model agents, state-keeping harnesses and trained policies."""
