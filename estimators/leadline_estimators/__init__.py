"""What a text costs a language model, and how to make it fit. Knows no code and no MCP; usable on its own.

>>> from leadline_estimators import count
>>> count("hello world")
2
"""

from leadline_estimators.estimate import Estimate, estimate
from leadline_estimators.fit import Form, Limit, Page, Rows, fit
from leadline_estimators.profiles import Profile, TextKind, profile_of
from leadline_estimators.tokenizer import contract_line, count

__all__ = [
    "Estimate",
    "Form",
    "Limit",
    "Page",
    "Profile",
    "Rows",
    "TextKind",
    "contract_line",
    "count",
    "estimate",
    "fit",
    "profile_of",
]
