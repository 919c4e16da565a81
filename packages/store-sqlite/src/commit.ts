import type {
  Changes,
  Instant,
  Revision,
  StoredRecord,
  Version,
  Write,
} from '@gatehouse/core/store'
import type { Connection } from './connection.ts'
import { countMissing } from './errors.ts'
import type { Feed } from './feed.ts'
import { isPatchWrite, type Patches } from './patches.ts'
import { createSweeper } from './sweeper.ts'
import type { CommitMark, Table } from './table.ts'

/** One write of a commit, with its table. */
export interface CommitPart {
  readonly write: Write
  readonly table: Table
}

/** Makes the commits of one connection. Updates its feeds with them and with those of other connections. */
export interface Committer {
  /** Registers a table so that commits sweep its expired records. */
  add(table: Table): void
  commit(parts: readonly CommitPart[], now: Instant): readonly Version[]
  changes(feed: Feed, since: Revision, now: Instant): Changes
}

/** The changes a commit has made to one collection so far. */
interface Change {
  readonly written: StoredRecord[]
  readonly removed: string[]
}

/**
 * Creates a {@link Committer}. Every commit gets a number from one counter in the database; it is the version of the records it
 * writes and the revision in their feeds. If the counter is not where this connection left it, another connection has committed.
 *
 * `file` is the name of the database in messages.
 *
 * @throws {GatehouseError} `StorageCorrupt` if the counter has no row. Its methods throw it too.
 */
export function createCommitter(
  connection: Connection,
  { file, patches }: { file: string; patches: Patches },
): Committer {
  const sweeper = createSweeper()
  const count = connection.prepare(
    'UPDATE gatehouse__counter SET commits = commits + 1 RETURNING commits',
  )
  const readCount = connection.prepare('SELECT commits FROM gatehouse__counter')
  const commitsOf = (row: unknown): number => {
    // Drivers return undefined or null for a missing row.
    if (typeof row !== 'object' || row === null) throw countMissing(file, 'gatehouse__counter')
    return (row as { commits: number }).commits
  }
  let seen = commitsOf(readCount.get())
  /** Changes whenever another connection is found to have committed. */
  let epoch = 0

  return {
    add: sweeper.add,

    commit(parts, now) {
      if (parts.every(({ write }) => 'check' in write)) {
        return connection.read(() => parts.map((part) => checkOnly(part, now)))
      }
      // Serialize before the transaction, because others wait for its end.
      const texts = parts.map(({ write }) => textOf(write))
      const { mark, versions, changes } = connection.write(() => {
        const revision = commitsOf(count.get())
        const isNext = revision === seen + 1
        const mark: CommitMark = { revision, now, epoch: isNext ? epoch : epoch + 1, patches: [] }
        const made = applyAll(parts, texts, mark)
        if (mark.patches.length > 0) patches.record(revision, mark.patches)
        const swept = sweeper.step(now, parts.length)
        if (swept !== undefined) changeOf(made.changes, swept.table).removed.push(...swept.ids)
        for (const [{ feed }, { written, removed }] of made.changes) {
          feed?.record(revision, [...written.map(({ id }) => id), ...removed])
        }
        return { mark, ...made }
      })
      const { revision } = mark
      epoch = mark.epoch
      seen = revision
      patches.remember(revision, mark.patches)
      for (const [{ feed, name }, { written, removed }] of changes) {
        if (feed === undefined) continue
        for (const { id } of written) patches.forget(name, id, revision)
        for (const id of removed) patches.forget(name, id, revision)
        feed.remember(epoch, { revision, written, removed })
      }
      return versions
    },

    changes(feed, since, now) {
      const commits = commitsOf(readCount.get())
      if (commits !== seen) {
        seen = commits
        epoch++
      }
      return feed.changes(since, epoch, now)
    },
  }
}

const textOf = (write: Write): string | undefined =>
  'check' in write || write.value === undefined || isPatchWrite(write)
    ? undefined
    : JSON.stringify(write.value)

function checkOnly({ write, table }: CommitPart, now: Instant): Version {
  if ('check' in write) table.check(write.id, write.check, now)
  return ''
}

/** @throws {GatehouseError} `StorageConflict` at the first precondition that does not hold. */
function applyAll(
  parts: readonly CommitPart[],
  texts: readonly (string | undefined)[],
  mark: CommitMark,
): { versions: Version[]; changes: Map<Table, Change> } {
  const changes = new Map<Table, Change>()
  const versions = parts.map(({ write, table }, index) => {
    if ('check' in write) {
      table.check(write.id, write.check, mark.now)
      return ''
    }
    if (write.value === undefined) {
      if (table.remove(write, mark.now)) changeOf(changes, table).removed.push(write.id)
      return ''
    }
    const record = table.put(write, texts[index], mark)
    changeOf(changes, table).written.push(record)
    return record.version
  })
  return { versions, changes }
}

function changeOf(changes: Map<Table, Change>, table: Table): Change {
  const existing = changes.get(table)
  if (existing !== undefined) return existing
  const created: Change = { written: [], removed: [] }
  changes.set(table, created)
  return created
}
