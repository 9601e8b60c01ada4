# Knowhow in one image: `docker build -t knowhow .`, or `docker compose up`.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY shared/package.json shared/
COPY packages/skill-format/package.json packages/skill-format/
COPY server/package.json server/
COPY client/package.json client/
COPY e2e/package.json e2e/
# Only the packages that the product needs.
RUN npm ci --workspace=shared --workspace=packages/skill-format --workspace=server --workspace=client
COPY . .
RUN npm run build && node server/bin/lay-out-image.mjs /image

FROM node:24-slim AS server
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    CONTENTS_DIR=/app/contents \
    DATA_DIR=/app/data
WORKDIR /app
COPY --from=build /image ./
# Docker copies these defaults into a named volume on its first use; a bind mount hides them.
COPY --chown=node:node contents contents
# git reads skills from repositories, by ssh as well; ssh-keygen checks their signatures.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git openssh-client \
    && rm -rf /var/lib/apt/lists/*
RUN install -d -o node -g node data backups \
    && ln -s /app/server/bin/knowhow.mjs /usr/local/bin/knowhow
USER node
VOLUME ["/app/contents", "/app/data", "/app/backups"]
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Restarts the server after a crash. Stop it with `docker stop -t 20`, because running answers have ten seconds to
# end.
CMD ["node", "server/bin/serve.mjs"]

# Target of the script runner, which runs in a separate container: docs/guides/scripts.md.
FROM server AS runner
USER root
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap python3 \
    && rm -rf /var/lib/apt/lists/*
USER node
HEALTHCHECK NONE
EXPOSE 3001
CMD ["knowhow", "runner"]

# The default target.
FROM server
