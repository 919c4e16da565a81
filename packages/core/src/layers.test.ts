import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type SourceFile, sources } from './sources.fixture.ts'

/** One row of a table of `docs/architecture.md`. */
interface Layer {
  /** Folders, and files at the root, relative to the root of its table. None of one row imports another. */
  readonly rooms: readonly string[]
  /** Whether it holds operations, which take the context of the service. */
  readonly hasOperations: boolean
}

interface Table {
  /** Relative to `packages/`. */
  readonly root: string
  /** Whether files at the root are rooms too: the first column is called `Room`, not `Folder`. */
  readonly hasFiles: boolean
  /** Top down. */
  readonly layers: readonly Layer[]
}

const maxFiles = 25

/** The tables of the page: a heading with the root, then a row for each folder. */
function readTables(page: string): Table[] {
  const tables: { root: string; hasFiles: boolean; layers: Layer[] }[] = []
  for (const line of page.split('\n')) {
    const root = /^#+ `packages\/(.+)`$/.exec(line)?.[1]
    const table = tables.at(-1)
    if (root !== undefined) tables.push({ root, hasFiles: false, layers: [] })
    if (table !== undefined && line.startsWith('| Room |')) table.hasFiles = true
    const [, names, purpose = ''] = /^\| (`[^|]+`) *\| (.*\S) *\|$/.exec(line) ?? []
    if (names === undefined) continue
    const rooms = [...names.matchAll(/`([^`]+?)\/?`/g)].map(([, room = '']) => room)
    table?.layers.push({ rooms, hasOperations: purpose.startsWith('*operations*: ') })
  }
  return tables
}

const page = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8')
const tables = readTables(page)
const roots = tables.map(({ root }) => root)

/** The files of a table. Those of a service that has a table of its own are not among the files of core. */
function filesOf(root: string): SourceFile[] {
  const isOwn = ({ path }: SourceFile): boolean => rootOf(path) === root
  return sources.filter(isOwn)
}

const rootOf = (path: string): string | undefined =>
  roots.filter((root) => path.startsWith(`${root}/`)).sort((a, b) => b.length - a.length)[0]

const servicesIn = (root: string): string[] =>
  roots.filter((other) => other !== root && isWithin(other, root))

/**
 * The room of a table that a file is in: a folder, or the file itself at the root. A service is one folder of core. Empty for the
 * roots of programs, which compose everything.
 */
function roomOf({ root, hasFiles }: Table, path: string): string {
  const service = servicesIn(root).find((other) => isWithin(path, other))
  if (posix.dirname(path) === root && hasFiles) return posix.basename(path)
  return posix.relative(root, service ?? posix.dirname(path))
}

const isFile = (room: string): boolean => room.endsWith('.ts')

const isWithin = (folder: string, other: string): boolean =>
  other === '' || `${folder}/`.startsWith(`${other}/`)

/** The row of a room, and its name there: its own, or one as `receivers/<kind>` for many that do not know each other. */
function rowOf(layers: readonly Layer[], room: string): { row: Layer; name: string } | undefined {
  const pattern = room.replace(/[^/]+$/, isFile(room) ? '<>.ts' : '<>')
  const isNamed = (name: string): boolean => name === room
  const isPattern = (name: string): boolean => name.replace(/<\w+>/, '<>') === pattern
  for (const fits of [isNamed, isPattern]) {
    const row = layers.find(({ rooms }) => rooms.some(fits))
    const name = row?.rooms.find(fits)
    if (row !== undefined && name !== undefined) return { row, name }
  }
  return undefined
}

/** `a -> b` for every import of a room that does not stand below its own. */
function upwardImports(table: Table): string[] {
  const { root, layers } = table
  const height = (room: string): number => {
    const found = rowOf(layers, room)
    return found === undefined ? 0 : layers.length - layers.indexOf(found.row)
  }
  const isUpward = (path: string, imported: string): boolean => {
    if (!imported.startsWith(`${root}/`)) return false
    const from = roomOf(table, path)
    const to = roomOf(table, imported)
    // A folder composes those inside of it, and holds the port they implement. `imports.test.ts` finds circles of files.
    if (isWithin(from, to) || isWithin(to, from)) return false
    return height(from) <= height(to)
  }
  return filesOf(root).flatMap(({ path, imports }) =>
    imports
      .filter((imported) => isUpward(path, imported))
      .map((imported) => `${path} -> ${imported}`),
  )
}

/** Folders whose rows, with the rows of the folders inside, have another row between them. */
function scattered({ layers }: Table): string[] {
  const folders = layers.flatMap(({ rooms }) => rooms)
  return folders
    .flatMap((folder) =>
      folder.split('/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/')),
    )
    .filter((group) => {
      const first = folders.findIndex((folder) => isWithin(folder, group))
      const last = folders.findLastIndex((folder) => isWithin(folder, group))
      return folders.slice(first, last).some((folder) => !isWithin(folder, group))
    })
}

describe.each(tables)('the rooms of $root', (table) => {
  const { root, layers } = table
  const files = filesOf(root)

  it('all have a row, once', () => {
    const found = new Set([
      ...files.map(({ path }) => roomOf(table, path)),
      ...servicesIn(root).map((service) => posix.relative(root, service)),
    ])
    found.delete('')
    const names = new Set([...found].map((room) => rowOf(layers, room)?.name ?? room))
    expect(layers.flatMap(({ rooms }) => rooms).toSorted()).toEqual([...names].toSorted())
  })

  it('stand together with the folders inside', () => {
    expect(scattered(table)).toEqual([])
  })

  it('import only rooms below, types included', () => {
    expect(upwardImports(table)).toEqual([])
  })

  it('take the context of the service only where they hold operations', () => {
    const found = files.filter(({ path, imports }) => {
      const room = roomOf(table, path)
      // The row of `context.ts` says which files at the root may: those above.
      const mayTake = isFile(room) || rowOf(layers, room)?.row.hasOperations === true
      return room !== '' && !mayTake && imports.includes(`${root}/context.ts`)
    })
    expect(found.map(({ path }) => path)).toEqual([])
  })
})

describe('every folder', () => {
  it(`holds at most ${maxFiles} files beside tests and fixtures`, () => {
    const counts = new Map<string, number>()
    for (const { path } of sources) {
      const folder = posix.dirname(path)
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    for (const [folder, count] of counts) if (count <= maxFiles) counts.delete(folder)
    expect([...counts.keys()].filter((folder) => rootOf(folder) !== undefined)).toEqual([])
  })
})
