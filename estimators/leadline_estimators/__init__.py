"""What a text costs a language model, and how to make it fit. Knows no code and no MCP; usable on its own.

Examples:
    >>> from leadline_estimators import count
    >>> count("hello world")
    2
"""

import importlib.util

if importlib.util.find_spec("tiktoken") is None:
    # Without it every count would be one of bytes: up to six times too many, and not a word about it.
    raise ImportError("leadline_estimators needs tiktoken: pip install tiktoken", name="tiktoken")

from leadline_estimators.conversation import Conversation, Pressure, Refreshed, Report, Reserve
from leadline_estimators.estimate import Estimate, estimate
from leadline_estimators.guard import Cut, cut_output, guard_limit, guard_output, guarded
from leadline_estimators.messages import conversation_tokens, message_tokens, tools_tokens
from leadline_estimators.overflow import (
    Overflow,
    OverflowClass,
    RateLimit,
    RateReason,
    classify_overflow,
    parse_overflow,
    parse_rate_limit,
)
from leadline_estimators.prices import PriceTable, Usage, usage_of
from leadline_estimators.profiles import (
    Client,
    Family,
    Profile,
    TextKind,
    UnknownModelWarning,
    is_known_model,
    model_names,
    profile_of,
    suggest_model,
)
from leadline_estimators.recovery import Attempt, Recovery, Strategy, run_with_recovery, run_with_recovery_async
from leadline_estimators.shapes import Message, as_message
from leadline_estimators.tokenizer import Tokenizer, contract_line, count, load
from leadline_estimators.truncation import Form, Limit, Page, Rows, fit
from leadline_estimators.turn import Grant, TurnBudget, TurnState

__all__ = [
    "Attempt",
    "Client",
    "Conversation",
    "Cut",
    "Estimate",
    "Family",
    "Form",
    "Grant",
    "Limit",
    "Message",
    "Overflow",
    "OverflowClass",
    "Page",
    "Pressure",
    "PriceTable",
    "Profile",
    "RateLimit",
    "RateReason",
    "Recovery",
    "Refreshed",
    "Report",
    "Reserve",
    "Rows",
    "Strategy",
    "TextKind",
    "Tokenizer",
    "TurnBudget",
    "TurnState",
    "UnknownModelWarning",
    "Usage",
    "as_message",
    "classify_overflow",
    "contract_line",
    "conversation_tokens",
    "count",
    "cut_output",
    "estimate",
    "fit",
    "guard_limit",
    "guard_output",
    "guarded",
    "is_known_model",
    "load",
    "message_tokens",
    "model_names",
    "parse_overflow",
    "parse_rate_limit",
    "profile_of",
    "run_with_recovery",
    "run_with_recovery_async",
    "suggest_model",
    "tools_tokens",
    "usage_of",
]
