// Bundles an app with everything it imports, without any settings, from packed packages. Optional packages may be missing: the
// bundle then runs in a folder without packages, as on a serverless platform. If they are installed, the bundle finds them.
import { execFileSync } from 'node:child_process'
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.mjs'

/** The packages that the app of `bundled/` imports, beside hono. */
export const leanPackages = [
  'core',
  'go-template',
  'adapter-hono',
  'store-memory',
  'store-postgres',
  'store-sqlite',
]

/** Optional packages that the app uses if they are there. */
export const optionalPackages = ['nodemailer', 'undici', 'hash-wasm', 'ldapts', 'zxcvbn', 'pg']

const tool = (name) => `${root}node_modules/.bin/${name}`

const esbuild = (format, file) => [
  tool('esbuild'),
  'main.mjs',
  '--bundle',
  '--platform=node',
  `--format=${format}`,
  `--outfile=bundle/${file}`,
  '--log-level=warning',
]

const tsup = (format) => [tool('tsup'), 'main.mjs', '--format', format, '--silent']

const tsupConfig = `export default {
  noExternal: [/.*/],
  outDir: 'bundle',
  outExtension: ({ format }) => ({ js: format === 'esm' ? '.mjs' : '.cjs' }),
}
`

/** How bundlers are called for the entry `main.mjs`, and the file they write to the folder `bundle`. */
const bundlers = [
  { name: 'esbuild, ESM', file: 'main.mjs', command: esbuild('esm', 'main.mjs') },
  { name: 'esbuild, CommonJS', file: 'main.cjs', command: esbuild('cjs', 'main.cjs') },
  { name: 'tsup with noExternal, ESM', file: 'main.mjs', command: tsup('esm') },
  { name: 'tsup with noExternal, CommonJS', file: 'main.cjs', command: tsup('cjs') },
]

/**
 * Copies the app into a folder that has the packages.
 *
 * @param {string} project
 */
export function writeApp(project) {
  cpSync(`${root}scripts/consumers/bundled/`, project, { recursive: true })
  writeFileSync(join(project, 'tsup.config.mjs'), tsupConfig)
}

/**
 * Bundles the app, and runs the bundles.
 *
 * @param {string} project a folder with the packages.
 * @param {'missing' | 'found'} expected whether the optional packages are installed there.
 * @throws {Error} if a bundler fails, or a bundle does not answer as the app does.
 */
export function checkBundles(project, expected) {
  writeApp(project)
  for (const bundler of bundlers) checkBundle(project, bundler, expected)
}

/**
 * Bundles the app by one bundler, and runs the bundle.
 *
 * @param {string} project
 * @param {{ name: string, file: string, command: readonly string[] }} bundler
 * @param {'missing' | 'found'} expected
 */
export function checkBundle(project, { name, file, command: [program, ...args] }, expected) {
  const built = join(project, 'bundle')
  const alone = `${project}-alone`
  try {
    execFileSync(program, args, { cwd: project, stdio: 'pipe' })
    if (expected === 'missing') renameSync(built, alone)
    const folder = expected === 'missing' ? alone : built
    const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })
    expectOptional(JSON.parse(printed), expected)
  } catch (error) {
    throw new Error(`${name}, optional packages ${expected}: ${error.message}`, { cause: error })
  } finally {
    for (const folder of [built, alone]) rmSync(folder, { recursive: true, force: true })
  }
  console.log(`ok  ${name}, optional packages ${expected}`)
}

/**
 * @param {Record<string, string>} found what `/optional` of the app answered
 * @param {'missing' | 'found'} expected
 * @throws {Error} if an optional package was not as expected.
 */
export function expectOptional(found, expected) {
  const others = optionalPackages.filter((name) => found[name] !== expected)
  if (others.length === 0) return
  throw new Error(`not ${expected}: ${others.join(', ')}; ${JSON.stringify(found)}`)
}
