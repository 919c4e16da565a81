import { createHash, type Hash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type PluginOption } from 'vite'
import { compressFiles } from './compress-files.ts'
import { dropUnusedStyles } from './drop-unused-styles.ts'

/**
 * Puts the page into a folder, which is emptied first. The page works below every path: its own files and the services are found
 * by relative URLs. It is built again only if something that it is made of has changed.
 *
 * @param root the folder of the package whose page it is.
 * @param plugins what its build needs (default: what the console's does).
 */
export async function buildPage(
  root: string,
  folder: string,
  plugins: PluginOption[] = [react(), dropUnusedStyles()],
): Promise<void> {
  const cache = `${root}/../../node_modules/.cache/gatehouse/page-of-${basename(root)}`
  const built = `${cache}/${digestOfSources(root)}`
  if (!existsSync(built)) {
    // The page is complete once it has its name, so two builds at a time do not meet.
    const unfinished = `${built}.${process.pid}`
    await bundle(root, unfinished, plugins)
    if (existsSync(built)) rmSync(unfinished, { recursive: true })
    else renameSync(unfinished, built)
    for (const name of readdirSync(cache)) {
      const isEarlier = !name.includes('.') && !built.endsWith(name)
      if (isEarlier) rmSync(`${cache}/${name}`, { recursive: true, force: true })
    }
  }
  rmSync(folder, { recursive: true, force: true })
  cpSync(built, folder, { recursive: true })
}

/** A digest of the names and contents of all files that the page is built from. */
function digestOfSources(root: string): string {
  const hash = createHash('sha256')
  for (const name of ['src', 'public', 'index.html', 'package.json']) {
    if (existsSync(`${root}/${name}`)) addTo(hash, `${root}/${name}`)
  }
  for (const name of readdirSync(root)) if (name.endsWith('.ts')) addTo(hash, `${root}/${name}`)
  addTo(hash, `${root}/../client/src`)
  addTo(hash, `${root}/../../package-lock.json`)
  return hash.digest('hex').slice(0, 16)
}

function addTo(hash: Hash, path: string): void {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path).sort()) addTo(hash, `${path}/${name}`)
  } else {
    hash.update(path.slice(path.lastIndexOf('/'))).update(readFileSync(path))
  }
}

async function bundle(root: string, folder: string, plugins: PluginOption[]): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: './',
    plugins: [...plugins, compressFiles()],
    resolve: {
      alias: { '@gatehouse/client': `${root}/../client/src/index.ts` },
    },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      // An inlined file would need `data:` in the security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: 'licenses.md' },
    },
  })
}
