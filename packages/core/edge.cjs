// What edge runtimes get in the place of a service. It is CommonJS with exports that are known only when it runs, so that bundlers
// accept imports of any name.
module.exports = globalThis

throw new Error(
  '@gatehouse/core needs Node.js, and this code was built for an edge runtime. In Next.js 16 use proxy.ts in the place of middleware.ts, and in routes leave out `runtime = "edge"`. See https://github.com/gatehouse/gatehouse/blob/main/docs/bundling.md#edge-runtimes',
)
