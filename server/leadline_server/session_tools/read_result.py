"""Returns the next page of a stored result, for clients whose model cannot read resources."""

from __future__ import annotations

from typing import Literal

from leadline_server.call import Session, Stored, stored_result, with_window
from leadline_tools.errors import BadArgument, PastTheEnd
from leadline_tools.result import Call
from leadline_tools.tool import tool


@tool
def read_result(
    session: Session,
    uri: str,
    offset: int = 0,
    limit: int = 0,
    format: Literal["text", "json"] = "text",  # noqa: A002
) -> Stored:
    """Read more of a stored result (leadline://result/...); max_tokens to 20000."""
    if offset < 0 or limit < 0:
        raise BadArgument("offset and limit", "they cannot be negative", "Use offset=0 for the first page.")
    bare = uri.strip().partition("?")[0].partition("{")[0]
    call, result = stored_result(session, bare, session.principal)
    total = len(result.items)
    if offset and offset >= total:
        raise PastTheEnd(f"offset {offset:,}", f"{total:,} items", str(Call.of("read_result", uri=bare, offset=0)))
    return with_window(Stored(call, bare, result, as_json=format == "json"), offset, limit)
