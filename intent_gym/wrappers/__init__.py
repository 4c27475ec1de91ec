"""Wrappers: other faces of an environment, as text, slots, chat or shaped reward."""
