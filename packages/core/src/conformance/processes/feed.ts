import { expect, it } from 'vitest'
import type { Query, Revision, Storage, Version } from '../../storage/storage.ts'
import { approvals } from '../../testing/scenarios/await-approvals.ts'
import { type Entry, entries, relayLane } from '../../testing/scenarios/write-entries.ts'
import {
  allEnd,
  type ScenarioProcess,
  type StorageProcessesFactory,
  useProcesses,
} from './harness.ts'

/** The time in which commits of another process must arrive, doubled for a busy machine. */
const newsWithinMs = 2_000

/** Tests the change feed with writers in other processes. */
export function describeFeed(factory: StorageProcessesFactory): void {
  const test = useProcesses(factory)

  it('delivers a decision of another process to a waiting one, within about a second', async () => {
    const ids = ['first', 'second', 'third']
    const processes = Array.from({ length: 3 }, () => test.start('approvals', ...ids))
    const haveWritten = (count: number): Promise<unknown> =>
      Promise.all(processes.map((process) => process.hasWritten(count)))
    for (const [index, id] of ids.entries()) {
      await haveWritten(index + 1)
      await test.storage.commit([approvals.write(id, { by: 'test' })])
    }
    await haveWritten(ids.length + 1)
    await test.storage.commit([approvals.remove('third')])
    await allEnd(processes)
    for (const { lines } of processes) {
      const heard = lines.slice(1, -1).map((line) => line.split(' '))
      expect(heard.map(([id, by]) => [id, by])).toEqual(ids.map((id) => [id, 'test']))
      for (const [, , behindMs] of heard) expect(Number(behindMs)).toBeLessThan(newsWithinMs)
      expect(lines.at(-1)).toBe('third is gone')
    }
  })

  it('delivers everything to a follower although writers are killed, and ends with the result of find()', async () => {
    const doomed = ['a', 'b'].map((name) => test.start('entries', name, 3, 'Infinity'))
    const others = ['c', 'd'].map((name) => test.start('entries', name, 3, 40))
    const killMidway = async (writer: ScenarioProcess): Promise<void> => {
      await writer.hasWritten(30)
      await writer.kill()
    }
    const follower = createEntryFollower(test.storage)
    await Promise.all([follower.followUntil(allEnd(others)), ...doomed.map(killMidway)])
    await follower.catchUp()
    expect(follower.missing(acknowledgedBy([...doomed, ...others]))).toEqual([])
    // A lane of a killed writer may have none yet.
    for (const lane of ['c0', 'c1', 'c2', 'd0', 'd1', 'd2']) {
      expect([lane, follower.lanes.get(lane)]).toEqual([lane, 40])
    }
  })

  it('orders a commit after the commit of another process on which it is based', async () => {
    const runners = [0, 1, 2].map((place) => test.start('relay', place, 3, 60))
    const noise = test.start('entries', 'noise', 4, 'Infinity')
    const follower = createEntryFollower(test.storage)
    await follower.followUntil(allEnd(runners))
    await noise.kill()
    await follower.catchUp()
    expect(follower.missing(acknowledgedBy([...runners, noise]))).toEqual([])
    expect(follower.lanes.get(relayLane)).toBe(60)
  })
}

const acknowledgedBy = (processes: readonly ScenarioProcess[]): string[] =>
  processes.flatMap(({ lines }) => lines)

interface EntryFollower {
  /** How many numbers it received in each lane. */
  readonly lanes: ReadonlyMap<string, number>
  /** The ids of the given entries that it did not receive. */
  missing(ids: readonly string[]): string[]
  /** Asks for changes repeatedly until `over` resolves. */
  followUntil(over: Promise<void>): Promise<void>
  /** Asks until it has everything that `find` returns, which must happen within the allowed time. */
  catchUp(): Promise<void>
}

/** Follows the entries. Fails when a number of a lane arrives before an earlier one. */
function createEntryFollower(storage: Storage): EntryFollower {
  const known = new Map<string, Version>()
  const lanes = new Map<string, number>()
  let revision: Revision = 0

  const count = (written: readonly Entry[]): void => {
    const numbers = written.filter(({ number }) => number >= 0)
    for (const { lane, number } of numbers.sort((a, b) => a.number - b.number)) {
      const next = lanes.get(lane) ?? 0
      if (number < next) throw new Error(`${lane} ${number} was written once and arrived twice`)
      if (number > next) throw new Error(`${lane} ${number} arrived before ${lane} ${next}`)
      lanes.set(lane, next + 1)
    }
  }

  const follow = async (): Promise<void> => {
    const changes = await entries.changes(storage, revision)
    if ('reset' in changes) throw new Error(`the feed does not reach back to ${revision}`)
    expect(changes.revision).toBeGreaterThanOrEqual(revision)
    for (const { id, version } of changes.written) known.set(id, version)
    for (const id of changes.removed) known.delete(id)
    count(changes.written.map(({ value }) => value))
    revision = changes.revision
  }

  const followWhile = async (isOn: () => boolean): Promise<void> => {
    while (isOn()) {
      await follow()
      await new Promise((resolve) => setImmediate(resolve)) // lets the lines of the processes be read
    }
  }

  return {
    lanes,
    missing: (ids) => ids.filter((id) => !known.has(id)),
    async followUntil(over) {
      let isOver = false
      const end = over.finally(() => {
        isOver = true
      })
      await Promise.all([end, followWhile(() => !isOver)])
    },
    async catchUp() {
      // The last commit of a killed process may still arrive meanwhile.
      const differences = async (): Promise<string[]> => {
        await follow()
        return differencesOf(known, await readVersions(storage))
      }
      await expect.poll(differences, { timeout: newsWithinMs }).toEqual([])
    },
  }
}

async function readVersions(storage: Storage): Promise<ReadonlyMap<string, Version>> {
  const versions = new Map<string, Version>()
  let query: Query = { by: 'id', limit: 1_000 }
  for (;;) {
    const page = await entries.find(storage, query)
    for (const { id, version } of page) versions.set(id, version)
    const last = page.at(-1)
    if (last === undefined) return versions
    query = { ...query, after: { key: last.id, id: last.id } }
  }
}

/** The ids whose versions differ. */
function differencesOf(
  one: ReadonlyMap<string, Version>,
  other: ReadonlyMap<string, Version>,
): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (id) => one.get(id) !== other.get(id),
  )
}
