import type { Storage } from '@gatehouse/core'
import { defineCollection, type Revision } from '@gatehouse/core/store'
import { expect, it } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { type StoragesUnderTest, useStorages } from './use-storages.ts'

/** One part of a commit. Each writer numbers its commits, and each commit writes several parts. */
interface Entry {
  readonly writer: number
  readonly count: number
  readonly parts: number
}

const entries = defineCollection<Entry>({ name: 'entries', feed: true })
const others = defineCollection<Entry>({ name: 'others', feed: true })

const writers = 8
const followers = 3
/** Of each writer, if nothing delays it. */
const commits = isWide ? 80 : 40
/** Eleven storages work without pause. */
const timeout = 60_000

/** Triggers that delay the writers at the worst moments. */
const delays = {
  /** After others have begun: their commits overlap. */
  'before they increment the feed counter': `CREATE TRIGGER delay BEFORE INSERT ON gatehouse_entries
    FOR EACH STATEMENT EXECUTE FUNCTION delay()`,
  /** After a revision was assigned, and before it becomes visible. */
  'after they increment the feed counter': `CREATE TRIGGER delay AFTER INSERT ON "gatehouse_entries.feed"
    FOR EACH STATEMENT EXECUTE FUNCTION delay()`,
  /** During COMMIT itself. */
  'during COMMIT': `CREATE CONSTRAINT TRIGGER delay AFTER INSERT ON "gatehouse_entries.feed"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION delay()`,
} as const

/** Follows a feed, and fails as soon as it receives something impossible. */
function createFollower(storage: Storage) {
  const counts = Array.from({ length: writers }, () => 0)
  let revision: Revision = 0
  let asked = 0

  /** The commits whose parts arrived. Checks that each arrived complete. */
  const commitsIn = (arrived: readonly Entry[]): readonly Entry[] => {
    const commits = new Map<string, Entry[]>()
    for (const entry of arrived) {
      const name = `${entry.writer}-${entry.count}`
      commits.set(name, [...(commits.get(name) ?? []), entry])
    }
    for (const [name, parts] of commits) {
      if (parts.length !== parts[0]?.parts) throw new Error(`only a part of commit ${name} arrived`)
    }
    return [...commits.values()].flatMap(([first]) => (first === undefined ? [] : [first]))
  }

  return {
    counts,
    asked: () => asked,
    revision: () => revision,
    async ask(): Promise<void> {
      const changes = await entries.changes(storage, revision)
      asked++
      if ('reset' in changes) throw new Error(`a reset at revision ${revision}`)
      const commits = commitsIn(changes.written.map(({ value }) => value))
      // Every commit wrote records of its own, so each revision stands for one commit.
      const passed = changes.revision - revision
      if (passed !== commits.length) {
        throw new Error(`${commits.length} commits arrived in ${passed} revisions`)
      }
      for (const { writer, count } of [...commits].sort((a, b) => a.count - b.count)) {
        const expected = counts[writer] ?? 0
        if (count !== expected) throw new Error(`${writer} ${count} arrived instead of ${expected}`)
        counts[writer] = expected + 1
      }
      revision = changes.revision
    },
  }
}

/** Runs all writers and followers at once, each on a storage with its own connections. */
async function race(test: StoragesUnderTest, commits: number): Promise<void> {
  const following = Array.from({ length: followers }, () => createFollower(test.open()))
  let isOver = false
  const follow = async (follower: (typeof following)[number]): Promise<void> => {
    while (!isOver) await follower.ask()
    await expect.poll(() => follower.ask().then(() => follower.revision())).toBe(writers * commits)
  }
  const write = async (writer: number): Promise<void> => {
    const storage = test.open({ maxConnections: 2 })
    for (let count = 0; count < commits; count++) {
      const parts = 1 + ((writer + count) % 3)
      const writes = Array.from({ length: parts }, (_, part) =>
        entries.write(`${writer}-${count}-${part}`, { writer, count, parts }),
      )
      // Some commits count two feeds on, and name them in the opposite order.
      const other = others.write(`${writer}`, { writer, count, parts: 1 })
      await storage.commit(count % 4 === 0 ? [other, ...writes] : writes)
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  await Promise.all([
    writing.finally(() => {
      isOver = true
    }),
    ...following.map(follow),
  ])
  for (const follower of following) {
    expect(follower.counts).toEqual(Array.from({ length: writers }, () => commits))
    expect(follower.revision()).toBe(writers * commits)
    // The follower read while others wrote, though on a busy machine less often than they did.
    expect(follower.asked()).toBeGreaterThan(2)
  }
}

describeWithPostgres('the order of revisions', () => {
  const test = useStorages()

  it('no follower misses a commit of eight writers, or receives it partly or too early', {
    timeout,
  }, async () => {
    await race(test, commits)
    expect(
      await test.rows(
        `SELECT (SELECT count(*)::int FROM "gatehouse_entries.feed"), revision::int FROM gatehouse__feeds WHERE name = 'entries'`,
      ),
    ).toEqual([[1 + writers * commits, writers * commits]])
  })

  it.each(Object.entries(delays))(
    'nor when the writers are slow %s',
    { timeout },
    async (_, trigger) => {
      await test.open().changes(entries, 0)
      await test.rows(`CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(random() * 0.02); RETURN NULL; END $$`)
      await test.rows(trigger)
      await race(test, 25)
    },
  )
})
