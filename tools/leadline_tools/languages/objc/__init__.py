"""Objective-C."""
