# The service without the embedded database: it needs DATABASE_URL.
# Every stage uses the same image, by digest. To update it: docker buildx imagetools inspect node:24-alpine
FROM node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43 AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
COPY dashboard/package.json dashboard/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY clients/typescript/tsconfig.json clients/typescript/
COPY clients/typescript/src clients/typescript/src
COPY src src
# The service's commands use the client, so it comes first. Optional packages, which only types need here, are the
# embedded PostgreSQL, the build tools of `npm start`, and faster variants of what works without them.
RUN node node_modules/typescript/bin/tsc -p clients/typescript \
  && node node_modules/typescript/bin/tsc -p tsconfig.build.json \
  && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

# The pages' tools need their optional packages, and leave nothing behind but files.
FROM node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43 AS pages
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
COPY dashboard/package.json dashboard/
RUN npm ci --workspace dashboard --ignore-scripts --no-audit --no-fund
COPY --from=build /app/clients/typescript/dist clients/typescript/dist
COPY tsconfig.json ./
COPY dashboard dashboard
RUN node node_modules/vite/bin/vite.js build dashboard

# The documentation site. Its pages include files outside the folder docs.
FROM node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43 AS guide
WORKDIR /app
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
COPY --from=build /app/dist/app/docs dist/app/docs
RUN node docs/node_modules/vitepress/bin/vitepress.js build docs

FROM node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PRINT_FIRST_TOKEN=false
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
# In node_modules there is only a link to it.
COPY --from=build /app/clients/typescript/package.json clients/typescript/
COPY --from=build /app/clients/typescript/dist clients/typescript/dist
COPY --from=build /app/dist dist
COPY --from=build /app/src/app/docs/page src/app/docs/page
COPY --from=pages /app/dist/dashboard dist/dashboard
COPY --from=guide /app/docs/.vitepress/dist docs/.vitepress/dist
# Clicks wait here until the database has them. Mount a volume for the API; a worker stores nothing.
RUN mkdir /data && chown 1000:1000 /data
# Commands run as printed: docker compose exec api link-service doctor
RUN chmod +x dist/main.js && ln -s /app/dist/main.js /usr/local/bin/link-service
# The user node by its number, which Kubernetes needs to see that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
