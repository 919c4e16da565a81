import type { Json, SnapshotRecord, Version, Write } from '@gatehouse/core/store'
import type { Connection } from './connection.ts'
import type { RowState, RowVersions } from './rows.ts'

/** The properties of a record that were written apart from its row. They count while `revision` is above the version of the row. */
export interface Patch {
  /** The number of the commit that wrote the patch, which is the version of the record. */
  readonly revision: number
  /** The names of the properties. */
  readonly names: readonly string[]
  /** An object with these properties, and maybe others. A property that it lacks was removed from the record. */
  readonly values: Properties
  /** The patch counts if no other connection has committed since this epoch. Otherwise its row decides. */
  readonly epoch: number
}

type Properties = Readonly<Record<string, Json | undefined>>

/** A patch with its record. */
export interface NewPatch {
  readonly collection: string
  readonly id: string
  readonly patch: Patch
}

/** The newest patch of each record: in memory, and in a log with one row per commit. */
export interface Patches {
  /** Reads the patches of other connections. Call it first in each transaction that uses patched records. */
  catchUp(): void
  /** The newest patch of a record, which may no longer count. */
  get(collection: string, id: string): Patch | undefined
  /** Adds a row to the log, within the transaction of a commit. */
  record(revision: number, patches: readonly NewPatch[]): void
  /** Adds the patches of a commit of this connection to memory, after its transaction. */
  remember(revision: number, patches: readonly NewPatch[]): void
  /** Forgets the patch of a record that a commit wrote as a whole or removed, unless the patch is as new as the commit. */
  forget(collection: string, id: string, revision: number): void
}

/**
 * Patches of one commit and one collection in the log: the names of the properties, then for each record its id and the values in
 * the order of the names, `null` for a removed property.
 */
type LogEntry = readonly [
  revision: number,
  collection: string,
  names: readonly string[],
  cells: (Json | undefined)[],
]

/** The name of the log. */
export const patchTable = 'gatehouse__patches'
/** The log has at most twice as many patches as there are patched records, and this many more. */
const sparePatches = 1_000
/** The epoch of a patch that this connection has not compared with its row. */
const unknownEpoch = -1

/** Creates {@link Patches} over the log of a database. */
export function createPatches(connection: Connection): Patches {
  const byCollection = new Map<string, Map<string, Patch>>()
  let count = 0
  let seen = 0
  const newestWeight = `(SELECT weight FROM ${patchTable} ORDER BY revision DESC LIMIT 1)`
  const selectSince = connection.prepare(
    `SELECT revision, patches FROM ${patchTable} WHERE revision > ? ORDER BY revision`,
  )
  const insert = connection.prepare(
    `INSERT INTO ${patchTable} (revision, weight, patches) SELECT ?, ? + coalesce(${newestWeight}, 0), ?`,
  )
  const selectOldest = connection.prepare(
    `SELECT revision, ${newestWeight} - weight AS newer FROM ${patchTable} ORDER BY revision LIMIT 1`,
  )
  const takeOne = connection.prepare(
    `DELETE FROM ${patchTable} WHERE revision = ? RETURNING patches`,
  )

  const get = (collection: string, id: string): Patch | undefined =>
    byCollection.get(collection)?.get(id)

  const set = ({ collection, id, patch }: NewPatch): void => {
    let patches = byCollection.get(collection)
    if (patches === undefined) {
      patches = new Map()
      byCollection.set(collection, patches)
    }
    const before = patches.size
    patches.set(id, patch)
    count += patches.size - before
  }

  const forget = (collection: string, id: string, revision: number): void => {
    const patches = byCollection.get(collection)
    const patch = patches?.get(id)
    if (patches === undefined || patch === undefined || patch.revision >= revision) return
    patches.delete(id)
    count--
  }

  const isNew = (revision: number, collection: string, id: string): boolean =>
    (get(collection, id)?.revision ?? 0) < revision

  const isNewest = (revision: number, collection: string, id: string): boolean =>
    get(collection, id)?.revision === revision

  const isCurrent = ({ collection, id, patch }: NewPatch): boolean => {
    const row = connection.get(`SELECT version FROM gatehouse_${collection} WHERE id = ?`, id)
    const isPatch = row !== undefined && (row as { version: number }).version < patch.revision
    if (!isPatch) forget(collection, id, Number.POSITIVE_INFINITY)
    return isPatch
  }

  /** Removes the oldest row of a log that is too long. Returns its patches that still count. */
  const takeOldest = (): readonly NewPatch[] => {
    const oldest = (selectOldest.get() ?? undefined) as
      | { revision: number; newer: number }
      | undefined
    if (oldest === undefined || oldest.newer <= 2 * count + sparePatches) return []
    const { patches } = takeOne.get(oldest.revision) as { patches: string }
    return fromText(patches, isNewest).filter(isCurrent)
  }

  return {
    get,
    forget,

    catchUp() {
      for (const row of selectSince.all(seen) as { revision: number; patches: string }[]) {
        seen = row.revision
        for (const one of fromText(row.patches, isNew)) set(one)
      }
    },

    record(revision, patches) {
      const left = takeOldest()
      const all = left.length === 0 ? patches : [...left, ...patches]
      insert.run(revision, all.length, toText(all))
    },

    remember(revision, patches) {
      if (patches.length > 0) seen = revision
      for (const one of patches) set(one)
    },
  }
}

function toText(patches: readonly NewPatch[]): string {
  const entries: LogEntry[] = []
  for (const { collection, id, patch } of patches) {
    const { revision, names, values } = patch
    let entry = entries.at(-1)
    if (entry?.[0] !== revision || entry[1] !== collection || entry[2] !== names) {
      entry = [revision, collection, names, []]
      entries.push(entry)
    }
    // An array holds `undefined` as `null`.
    const cells = entry[3]
    cells.push(id)
    for (const name of names) cells.push(values[name])
  }
  return JSON.stringify(entries)
}

function fromText(
  text: string,
  isWanted: (revision: number, collection: string, id: string) => boolean,
): readonly NewPatch[] {
  const patches: NewPatch[] = []
  for (const [revision, collection, names, cells] of JSON.parse(text) as LogEntry[]) {
    for (let at = 0; at < cells.length; at += 1 + names.length) {
      const id = String(cells[at])
      if (!isWanted(revision, collection, id)) continue
      const pairs = names.map((name, index): [string, Json | undefined] => [
        name,
        cells[at + 1 + index] ?? undefined,
      ])
      const values = Object.fromEntries(pairs)
      patches.push({
        collection,
        id,
        patch: { revision, names, values, epoch: unknownEpoch },
      })
    }
  }
  return patches
}

/** A {@link Write} of an object that names the properties that changed. */
export type PatchWrite = Extract<Write, { readonly value: Json }> & {
  readonly changed: readonly string[]
}

/** Whether a write can be a patch. Indexes are on rows, so a declared field is written there. */
export function isPatchWrite(write: Extract<Write, { readonly value: Json }>): write is PatchWrite {
  const { collection, changed, expiresAt, value, if: version = 'absent' } = write
  if (changed === undefined || version === 'absent' || expiresAt !== undefined) return false
  if (!collection.feed || typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return false
  const values = value as Properties
  return changed.every((name) => values[name] !== null && !Object.hasOwn(collection.fields, name))
}

/** The names of the properties in a patch that makes the changes of a write, on top of an earlier patch that counts. */
function patchNames({ changed }: PatchWrite, before: Patch | undefined): readonly string[] {
  if (before === undefined || before.names === changed) return changed
  const { names } = before
  if (names.every((name) => changed.includes(name))) return changed
  return changed.every((name) => names.includes(name))
    ? names
    : [...new Set([...names, ...changed])]
}

/** What decides about a patch besides its write. */
interface PatchMoment {
  /** The newest patch of the record. */
  readonly newest: Patch | undefined
  /** The number of the commit. */
  readonly revision: number
  /** The epoch of the commit. */
  readonly epoch: number
  /** Reads the row of the record if it is live, with the version of the record. */
  readonly state: () => RowState | undefined
}

/**
 * How a write is stored: as a patch beside its row, in the row itself, or not at all because the record has another version. The
 * row is read only if another connection may have changed it since the newest patch.
 */
export function decidePatch(
  write: Extract<Write, { readonly value: Json }>,
  { newest, revision, epoch, state }: PatchMoment,
): Patch | 'row' | 'conflict' {
  if (!isPatchWrite(write)) return 'row'
  const version = Number(write.if)
  const before = newest?.revision === version ? newest : undefined
  if (before?.epoch !== epoch) {
    const current = state()
    if (current?.version !== version) return 'conflict'
    if (current.expires_at !== null) return 'row'
  }
  return {
    revision,
    names: patchNames(write, before),
    values: write.value as Properties,
    epoch,
  }
}

/** The versions that the row of a record may have if `version` is the current version of the record. */
export function rowVersions(version: Version, patch: Patch | undefined): RowVersions {
  const current = Number(version)
  const revision = patch?.revision ?? 0
  if (revision > current) return [1, 0]
  return revision === current ? [0, current - 1] : [current, current]
}

/** The record of a row, with its patch if that counts. */
export function patchedRecord<T extends Pick<SnapshotRecord, 'value' | 'version'>>(
  record: T,
  patch: Patch | undefined,
): T {
  const { value, version } = record
  if (patch === undefined || value === undefined || patch.revision <= Number(version)) return record
  const properties = new Map(Object.entries(value as Record<string, Json>))
  for (const name of patch.names) {
    const property = patch.values[name]
    if (property === undefined) properties.delete(name)
    else properties.set(name, property)
  }
  return { ...record, value: Object.fromEntries(properties), version: String(patch.revision) }
}
