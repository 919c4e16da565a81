import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root, run } from './run.mjs'

/**
 * Bundles FOLDER/main.ts, which may import the sources of the packages, and runs it.
 *
 * @param {string} folder of the repository
 * @param {readonly string[]} args
 * @returns {Promise<number>} its exit code.
 */
export async function runBundled(folder, args) {
  const outfile = `${root}.tsbuild/${folder}/main.mjs`
  mkdirSync(`${root}.tsbuild/${folder}`, { recursive: true })
  await build({
    entryPoints: [`${root}${folder}/main.ts`],
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
        name: 'leave dependencies outside the bundle',
        setup(bundle) {
          bundle.onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path.startsWith('@gatehouse/') ? undefined : { path, external: true },
          )
        },
      },
      {
        name: 'keep import.meta.url of each source',
        setup(bundle) {
          bundle.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            const text = await readFile(path, 'utf8')
            const url = JSON.stringify(pathToFileURL(path).href)
            return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' }
          })
        },
      },
    ],
  })
  return run(process.execPath, ['--enable-source-maps', outfile, ...args])
}
