"""Tool-calling service desks: what Retail and Airline share.

`calls` reads one tool call from an action's text, `tools` checks and runs it, `tables` holds the data and an episode's
draft of changes, `general` holds the two tools that every desk has.
"""
