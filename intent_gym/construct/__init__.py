"""From a host's goals to verified samples: graphs, faults, texts, three-step verification, pools (PROTOCOL 1, 2)."""
