"""The page of a running server at ``/`` and what its scripts fetch, guarded by the gate of the server.

Nothing here changes anything: the page reads, and makes calls that any client could make, except edits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from leadline_server.call import Session
from leadline_server.errors import Busy
from leadline_server.gate import principal
from leadline_server.ledger import RecordedCall
from leadline_server.outgoing import is_printable
from leadline_server.page.about import about_view, state_view, title_of
from leadline_server.page.answers import ledger_view
from leadline_server.page.calls import PageCalls
from leadline_server.page.document import linked_document, read_asset, static_names
from leadline_server.page.tree_weights import TreeWeights
from leadline_server.page.weights import folder_view
from leadline_server.page.wire import HEADERS, View, json_response, text_response
from leadline_tools.errors import LeadlineError
from leadline_tools.index.questions.highlights import find_highlights

_MOST_LINES = 1_000
"""Lines whose highlights one request returns."""

_TYPES: Mapping[str, str] = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def routes(session: Session) -> Sequence[Route]:
    """Return the routes of the page of a session."""
    calls = PageCalls(session)
    page = _Page(session, calls)
    return (
        Route("/", page.document),
        Route("/page/about", page.about),
        Route("/page/state", page.state),
        Route("/page/ledger", page.ledger),
        Route("/page/map", page.map),
        Route("/page/highlights", page.highlights),
        Route("/page/call", calls.call, methods=["POST"]),
        Route("/page/preview", calls.preview),
        Route("/page/items", calls.items),
        Route("/page/static/{name}", page.static),
    )


class _Page:
    """What answers the requests of a page."""

    def __init__(self, session: Session, calls: PageCalls) -> None:
        self._session = session
        self._calls = calls
        self._weights = TreeWeights()
        self._static = static_names()

    async def document(self, request: Request) -> Response:
        """Return the page: a frame that its scripts fill, whatever the query says."""
        return HTMLResponse(linked_document(await self._title(request)), headers=dict(HEADERS))

    async def static(self, request: Request) -> Response:
        """Return a script, a style or a picture of the page."""
        name = request.path_params["name"]
        if name not in self._static:
            return text_response("There is no such file.", 404)
        return Response(read_asset(f"static/{name}"), 200, dict(HEADERS), _TYPES[name.rpartition(".")[2]])

    async def about(self, request: Request) -> Response:
        """Return what does not change while the server runs."""
        return await self._respond(request, about_view)

    async def state(self, request: Request) -> Response:
        """Return how far the index is."""
        return await self._respond(request, state_view)

    async def ledger(self, request: Request) -> Response:
        """Return the last calls."""
        recorded = self._recorded(request)
        return await self._respond(request, lambda session: ledger_view(session, recorded))

    async def map(self, request: Request) -> Response:
        """Return what is in a folder, with its tokens."""
        path = request.query_params.get("path", "").strip("/")
        return await self._respond(request, lambda session: folder_view(self._weights.find(session, path), path))

    async def highlights(self, request: Request) -> Response:
        """Return the highlights of some lines of a file."""
        query = request.query_params
        first = _line(query.get("first"))
        last = min(_line(query.get("last")), first + _MOST_LINES - 1)
        path = query.get("path", "")
        return await self._respond(request, lambda session: _highlights_view(session, path, first, last))

    async def _title(self, request: Request) -> str:
        """Return what people call the tree, as who asks may see it."""
        try:
            return await self._calls.run_for(request, lambda session: title_of(session.index))
        except LeadlineError:
            return ""

    async def _respond(self, request: Request, make: Callable[[Session], View]) -> Response:
        try:
            return json_response(await self._calls.run_for(request, make))
        except LookupError:
            return json_response({"problem": "There is no such folder."}, 404)
        except Busy as busy:
            return json_response({"problem": f"{busy} {busy.hint}"}, 429)
        except LeadlineError as error:
            return json_response({"problem": f"{error} {error.hint}"}, 404)

    def _recorded(self, request: Request) -> Sequence[RecordedCall]:
        """Return the calls that who asks may see: with tokens their own, else all of this machine's."""
        asking = principal(request)
        return self._session.ledger.recent(asking if asking.startswith("token ") else None)


def _highlights_view(session: Session, path: str, first: int, last: int) -> View:
    """Return the highlights of lines, without those of lines that are shown with escapes: their columns differ."""
    index = session.index
    source = index.read(path)
    lines = source.lines()
    escaped = {line for line in range(first, min(last, len(lines)) + 1) if not is_printable(lines[line - 1])}
    found = find_highlights(index.of(source.path).workers, source.path, first, last)
    return {"highlights": [one for one in found if one[0] not in escaped]}


def _line(text: str | None) -> int:
    return max(1, int(text)) if text and text.isascii() and text.isdecimal() and len(text) < 9 else 1
