"""Agents: scripted baselines, language-model agents, trained policies."""

from __future__ import annotations

from intent_gym.agents.base import AGENTS, Agent, AgentSpec, LearningAgent, agent_options, make_agent

__all__ = ["AGENTS", "Agent", "AgentSpec", "LearningAgent", "agent_options", "make_agent"]
