"""Environments and the hosts behind them."""
