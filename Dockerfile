# syntax=docker/dockerfile:1
# docker build -t gatehouse . && docker run --init -p 9093:9093 -v ./gatehouse:/etc/gatehouse:ro -v gatehouse:/var/lib/gatehouse gatehouse

FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund
RUN npm run build --workspace packages/cli
# The packages that some features need, in the versions of the tests.
RUN npm install --prefix /peers --no-audit --no-fund $(node -p "const { packages } = require('./package-lock.json'); Object.keys(require('./packages/cli/package.json').peerDependencies).map((name) => name + '@' + packages['node_modules/' + name].version).join(' ')")
# Node.js 22 has an SQLite of its own.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund --workspace packages/cli
RUN rm -rf node_modules/@gatehouse node_modules/.bin

FROM node:22-bookworm-slim
ENV NODE_ENV=production
COPY --from=build /src/node_modules /app/node_modules
COPY --from=build /peers/node_modules /node_modules
COPY --from=build /src/packages/cli/package.json /src/LICENSE /app/
COPY --from=build /src/packages/cli/schemas /app/schemas
COPY --from=build /src/packages/cli/dist /app/dist
RUN ln -s /app/dist/main.js /usr/local/bin/gatehouse
RUN mkdir -p /etc/gatehouse /var/lib/gatehouse && chown node:node /var/lib/gatehouse
USER node
WORKDIR /var/lib/gatehouse
VOLUME /var/lib/gatehouse
EXPOSE 9093
STOPSIGNAL SIGTERM
ENV HEALTH_URL=http://127.0.0.1:9093/-/healthy
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch(process.env.HEALTH_URL).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["gatehouse"]
CMD ["api", "--config", "/etc/gatehouse/config.yaml", "--listen", ":9093"]
