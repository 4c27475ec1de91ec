"""Running untrusted programs and queries: a child process that can compute and answer, and nothing else.

`client.Child` makes one, `lockdown` says what it gives up, `harness` what it can be asked to do. A grader sends plain
values and compares what comes back; what is right never enters the child, so that no code in it can forge a verdict.
"""
