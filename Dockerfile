# Two images: `service` (the default) needs DATABASE_URL, and `all-in-one` includes PostgreSQL.
#   docker build --tag link-service .
#   docker build --tag link-service:all-in-one --target all-in-one .
# npm run image performs these steps without Docker and tests the result. See CONTRIBUTING.md.
# To update a digest: docker buildx imagetools inspect node:24-trixie-slim
FROM node:24-trixie-slim@sha256:50c3b2f6988dfc307b86e5301d69611af31f4789bdf232863b07d3b02fe55ae0 AS node

# The output of these two stages is the same for every platform, so they run on that of the builder.
FROM --platform=$BUILDPLATFORM node:24-trixie-slim@sha256:50c3b2f6988dfc307b86e5301d69611af31f4789bdf232863b07d3b02fe55ae0 AS build
WORKDIR /link-service
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
COPY dashboard/package.json dashboard/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY clients/typescript/tsconfig.json clients/typescript/
COPY clients/typescript/src clients/typescript/src
COPY src src
COPY dashboard dashboard
# The service and the dashboard use the client, so it comes first.
RUN node node_modules/typescript/bin/tsc -p clients/typescript --sourceMap false \
  && node node_modules/typescript/bin/tsc -p tsconfig.build.json --sourceMap false \
  && node node_modules/vite/bin/vite.js build dashboard \
  && rm -r clients/typescript/dist/types
COPY scripts/image scripts/image
# Optional packages are the embedded PostgreSQL, the build tools of `npm start`, and faster variants of what works
# without them.
RUN npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && npm sbom --package-lock-only --sbom-format=cyclonedx | node scripts/image/filter-sbom.js > sbom.cdx.json \
  && node scripts/image/list-licenses.js sbom.cdx.json > licenses.txt \
  && node scripts/image/prune-packages.js node_modules

# The documentation site. Its pages include files outside the folder docs.
FROM --platform=$BUILDPLATFORM node:24-trixie-slim@sha256:50c3b2f6988dfc307b86e5301d69611af31f4789bdf232863b07d3b02fe55ae0 AS guide
WORKDIR /link-service
COPY docs/package.json docs/package-lock.json docs/
RUN npm ci --prefix docs --ignore-scripts --no-audit --no-fund
COPY README.md CONTRIBUTING.md CHANGELOG.md LICENSE .env.example docker-compose.yml openapi.json ./
COPY bench/README.md bench/
COPY clients/go/README.md clients/go/
COPY clients/python/README.md clients/python/
COPY clients/typescript/README.md clients/typescript/
COPY dashboard dashboard
COPY src src
COPY docs docs
COPY --from=build /link-service/dist/app/docs dist/app/docs
RUN node docs/node_modules/vitepress/bin/vitepress.js build docs

# Only the program of the Node image, without npm, yarn and headers.
FROM debian:trixie-slim@sha256:3a39a0592364683e6bab97937b72cad5a8fa6dcbbee90edb3bb48c7f8e94f258 AS runtime
# initdb needs a name for its user.
RUN groupadd --gid 1000 link-service \
  && useradd --uid 1000 --gid 1000 --no-create-home --home-dir /data --shell /usr/sbin/nologin link-service \
  && install --directory --owner=1000 --group=1000 /data
COPY --from=node /usr/local/bin/node /usr/local/bin/
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PRINT_FIRST_TOKEN=false
WORKDIR /app
COPY --from=build /link-service/package.json /link-service/sbom.cdx.json /link-service/licenses.txt ./
COPY --from=build /link-service/node_modules node_modules
# In node_modules there is only a link to it.
COPY --from=build /link-service/clients/typescript/package.json clients/typescript/
COPY --from=build /link-service/clients/typescript/dist clients/typescript/dist
COPY --from=build /link-service/dist dist
COPY --from=build /link-service/src/app/docs/page src/app/docs/page
COPY --from=guide /link-service/docs/.vitepress/dist docs/.vitepress/dist
COPY --from=guide /link-service/LICENSE ./
# Commands run as printed: docker compose exec api link-service doctor
RUN chmod +x dist/main.js && ln -s /app/dist/main.js /usr/local/bin/link-service
# By number, which Kubernetes needs to see that the user is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Link Service" \
  org.opencontainers.image.description="A self-hosted link shortener with scoped API tokens and signed webhooks." \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"

# docker run -p 3000:3000 -v data:/data link-service:all-in-one
FROM runtime AS all-in-one
USER 0:0
# Without the first line, the package would create a database in the image. Its programs are enough.
RUN mkdir -p /etc/postgresql-common/createcluster.d \
  && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/none.conf \
  && apt-get update \
  && apt-get install --yes --no-install-recommends postgresql-17 \
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin
ENV POSTGRES_BIN_DIR=/usr/lib/postgresql/17/bin
LABEL org.opencontainers.image.title="Link Service with PostgreSQL"
USER 1000:1000

# The last stage is the default.
FROM runtime AS service
