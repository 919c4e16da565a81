// npm run simulate -- [options]: bundles simulation/main.ts, which imports the sources of the packages, and runs it.
import { mkdirSync } from 'node:fs'
import { build } from 'esbuild'
import { root, run } from './run.mjs'

const outfile = `${root}.tsbuild/simulation/main.mjs`
mkdirSync(`${root}.tsbuild/simulation`, { recursive: true })
await build({
  entryPoints: [`${root}simulation/main.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  conditions: ['@gatehouse/source'],
  logLevel: 'error',
  plugins: [
    {
      name: 'packages of others stay where they are',
      setup(bundle) {
        bundle.onResolve({ filter: /^[^./]/ }, ({ path }) =>
          path.startsWith('@gatehouse/') ? undefined : { path, external: true },
        )
      },
    },
  ],
})
process.exitCode = await run(process.execPath, [
  '--enable-source-maps',
  outfile,
  ...process.argv.slice(2),
])
