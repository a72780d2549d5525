# leadline in a container: no root, no network, no writing but to the cache.
#
#   docker build -t leadline .
#   docker run -i --rm --read-only --network none -v "$PWD:/repo:ro" leadline
#
# The index is then kept in memory. To keep it, add: -v leadline-cache:/cache
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
COPY pyproject.toml README.md LICENSE /source/
COPY packaging /source/packaging
COPY server /source/server
COPY tools /source/tools
COPY estimators /source/estimators
RUN python -m venv /opt/leadline
RUN HATCH_BUILD_HOOK_ENABLE_CUSTOM=true /opt/leadline/bin/pip install --no-cache-dir '/source[server]'

FROM python:3.13-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin leadline \
    && install --directory --owner 10001 --mode 700 /cache
COPY --from=build /opt/leadline /opt/leadline
ENV PATH=/opt/leadline/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    LEADLINE_ROOT=/repo \
    LEADLINE_CACHE_DIR=/cache
# The name in the registry of MCP servers, which compares it.
LABEL io.modelcontextprotocol.server.name="io.github.leadline/leadline"
USER 10001
WORKDIR /repo
ENTRYPOINT ["leadline"]
CMD ["serve"]
