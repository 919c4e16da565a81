// Loads TypeScript of this repository into a script.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './run.mjs'

/** Bundles what is Gatehouse's, and leaves other packages where they are. */
const ownOnly = {
  name: 'own-only',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@gatehouse/')
        ? undefined
        : { path, external: true },
    )
  },
}

/**
 * Bundles and loads a source with what it imports. The command reads its version beside its folder.
 *
 * @param {string} file relative to the repository
 */
export async function loadSource(file) {
  const folder = mkdtempSync(`${root}packages/cli/.schemas-`)
  const outfile = join(folder, 'source.mjs')
  try {
    await build({
      entryPoints: [`${root}${file}`],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      conditions: ['@gatehouse/source'],
      plugins: [ownOnly],
      logLevel: 'error',
    })
    return await import(outfile)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
