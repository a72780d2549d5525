"""Clojure."""
