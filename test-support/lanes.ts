import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `unit` needs nothing outside its own process: no process, socket, database file, browser or built package. */
export type Lane = 'unit' | 'system'

/** Which tests run where, as paths relative to the repository. */
export interface Lanes {
  readonly unit: readonly string[]
  readonly system: readonly string[]
  /** The files that do more, or run at all, only in the wide lane. They are in another lane too, unless they end in `.wide.test.ts`. */
  readonly wide: readonly string[]
}

const root = fileURLToPath(new URL('../', import.meta.url))

/** Folders with tests. */
const folders = ['packages', 'examples', 'simulation', 'test-support']

/** Modules through which a test reaches outside its process. */
const outside =
  /^node:(?:child_process|cluster|dgram|https?|http2|net|tls|worker_threads)$|^(?:@hono\/node-server|axe-core|express4?|pg|playwright-core|postgres|smtp-server)$|^@gatehouse\/store-(?:sqlite|postgres)$/

/** Tests below these folders start programs, or open database files, also where no import says so. */
const systemFolders = /^(?:examples|packages\/(?:cli\/test|store-(?:postgres|sqlite)))\//

/** Tests of the system lane that start programs by the hundred in their own process. */
export const startsManyCommands: RegExp = /^packages\/core\/(?:src\/webhook\/|test\/webhook-)/

/** Files that run a suite, vectors or several processes, and so take far longer than their size says. */
export const isLongerThanItLooks: RegExp =
  /(?:\/src\/index|(?:command|conformance|processes|vectors)(?:\.system)?)\.test\.ts$/

/** Helpers of tests. What the product itself imports says nothing about the lane: most of it takes sockets and processes as ports. */
const helpers = /\.(?:test|fixture)\.ts$|^(?:packages\/[^/]+\/test|simulation|test-support)\//

/** Paths that `import` and `from` name. Types are not loaded. */
const imports =
  /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

/** What a file and the helpers that it imports name, and whether `lane.ts` is among the helpers. */
interface Reach {
  readonly isOutside: boolean
  readonly isWider: boolean
}

/** Reads the lanes of all tests from their names and imports. */
export function findLanes(): Lanes {
  const known = new Map<string, Reach>()
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !/(?:^|\/)(?:node_modules|dist)\//.test(name))
      .map((name) => `${folder}/${name}`),
  )
  const isWide = (file: string) => file.endsWith('.wide.test.ts')
  const usual = files.filter((file) => !isWide(file))
  return {
    unit: usual.filter((file) => laneOf(file, known) === 'unit'),
    system: usual.filter((file) => laneOf(file, known) === 'system'),
    wide: files.filter((file) => isWide(file) || reachOf(file, known).isWider),
  }
}

/** A file says `.system.test.ts` where only the product that it tests reaches outside. */
function laneOf(file: string, known: Map<string, Reach>): Lane {
  if (file.endsWith('.system.test.ts') || systemFolders.test(file)) return 'system'
  return reachOf(file, known).isOutside ? 'system' : 'unit'
}

function reachOf(file: string, known: Map<string, Reach>): Reach {
  const found = known.get(file)
  if (found !== undefined) return found
  known.set(file, { isOutside: false, isWider: false }) // for circles
  const named = [...readFileSync(join(root, file), 'utf8').matchAll(imports)].map(
    ([, from, dynamic]) => from ?? dynamic ?? '',
  )
  const used = named
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, join(root, dirname(file), name)))
  const reaches = used
    .filter((name) => helpers.test(name) && name.endsWith('.ts') && existsSync(join(root, name)))
    .map((name) => reachOf(name, known))
  const reach = {
    isOutside: named.some((name) => outside.test(name)) || reaches.some((one) => one.isOutside),
    isWider: used.includes('test-support/lane.ts') || reaches.some((one) => one.isWider),
  }
  known.set(file, reach)
  return reach
}
