import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exclusively } from './exclusively.ts'

/** A test worker lives from the start of the run to its end. */
const runBegan = Date.now() - process.uptime() * 1_000
const rootFolder = fileURLToPath(new URL('../', import.meta.url))

/** The fields that buildExample() reads of an example's `package.json`. `prestart` is one call of an installed tool. */
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly scripts: { readonly prestart: string }
}

/**
 * Builds the program of an example as `npm start` does, on top of the built packages. When several suites need it, only one
 * builds it.
 *
 * @returns the file to run.
 * @throws {Error} with what to do if a package is not built or has changed since its build.
 */
export async function buildExample(folder: URL): Promise<string> {
  const cwd = fileURLToPath(folder)
  const manifestFile = join(cwd, 'package.json')
  const { dependencies, scripts }: Manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  for (const name of Object.keys(dependencies)) {
    if (name.startsWith('@gatehouse/')) requireBuilt(basename(name))
  }
  const program = join(cwd, 'dist', 'server.js')
  await exclusively(basename(cwd), async () => {
    const folders = ['src', 'page'].map((name) => join(cwd, name)).filter(existsSync)
    const changedAt = Math.max(
      ...folders.map((folder) => newestSource(folder)),
      writtenAt(manifestFile),
    )
    if (writtenAt(program) < changedAt) await runScript(scripts.prestart, cwd)
  })
  return program
}

/**
 * Other tests may be running the built packages, so a stale package is an error, not rebuilt. Edits made during the run do not
 * count.
 */
function requireBuilt(name: string): void {
  const folder = join(rootFolder, 'packages', name)
  const builtAt = writtenAt(join(folder, 'dist', 'index.js'))
  if (builtAt >= newestSource(join(folder, 'src'), runBegan)) return
  const state = builtAt === 0 ? 'is missing' : 'is older than its sources'
  throw new Error(`packages/${name}/dist ${state}: run npm test, which builds it, or npm run build`)
}

/** The time of the newest change to a source below a folder, before an instant. Tests do not count. */
function newestSource(folder: string, before = Number.POSITIVE_INFINITY): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = names.filter((name) => /(?<!\.(?:test|fixture))\.tsx?$/.test(name))
  const times = sources.map((name) => writtenAt(join(folder, name)))
  return Math.max(...times.filter((time) => time < before))
}

/** In ms since the Unix epoch; 0 for a missing file. */
function writtenAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

async function runScript(script: string, cwd: string): Promise<void> {
  const [tool = '', ...args] = script.split(' ')
  const file = join(rootFolder, 'node_modules', '.bin', tool)
  await promisify(execFile)(process.execPath, [file, ...args], { cwd })
}
