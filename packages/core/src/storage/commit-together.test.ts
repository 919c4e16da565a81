import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it } from 'vitest'
import { defineCollection } from './collection.ts'
import { commitTogether } from './commit-together.ts'
import { type Storage, storageUnavailable, type Write } from './storage.ts'

const notes = defineCollection<string>({ name: 'notes' })

/** A committer over a memory store that logs each commit as the ids it names. */
function createFixture(options: { limit?: number } = {}) {
  const memory = createMemoryStorage()
  const commits: string[][] = []
  let failure: unknown
  const storage: Storage = {
    ...memory,
    async commit(writes) {
      commits.push(writes.map(({ id }) => id))
      if (failure !== undefined) throw failure
      return memory.commit(writes)
    },
  }
  return {
    storage,
    commits,
    commit: commitTogether({ storage, ...options }),
    failWith: (error: unknown) => {
      failure = error
    },
  }
}

const nextTick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

it('shares a commit among all calls of one turn of the event loop', async () => {
  const { storage, commits, commit } = createFixture()
  const first = commit([notes.write('a', '1'), notes.write('b', '2')])
  await nextTick()
  const [versions, others] = await Promise.all([first, commit([notes.write('c', '3')])])
  expect(commits).toEqual([['a', 'b', 'c']])
  const stored = await storage.get(notes, ['a', 'b', 'c'])
  expect(stored.map((record) => record?.version)).toEqual([...versions, ...others])
})

it('puts calls made during a commit into the next one', async () => {
  const { commits, commit } = createFixture()
  const later: Promise<unknown>[] = []
  const first = commit([notes.write('a', '1')]).then(() => {
    later.push(commit([notes.write('b', '2')]), commit([notes.write('c', '3')]))
  })
  await first
  await Promise.all(later)
  expect(commits).toEqual([['a'], ['b', 'c']])
})

it('keeps commits within the limit, but never splits a unit', async () => {
  const { commits, commit } = createFixture({ limit: 2 })
  const asked: Write[][] = [
    [notes.write('a', '')],
    [notes.write('b', ''), notes.write('c', '')],
    [notes.write('d', ''), notes.write('e', ''), notes.write('f', '')],
    [notes.write('g', '')],
  ]
  await Promise.all(asked.map((writes) => commit(writes)))
  expect(commits).toEqual([['a'], ['b', 'c'], ['d', 'e', 'f'], ['g']])
})

it('makes writes to one record in the order of the calls', async () => {
  const { storage, commits, commit } = createFixture()
  await Promise.all([
    commit([notes.write('a', 'first')]),
    commit([notes.write('b', '')]),
    commit([notes.write('a', 'second')]),
  ])
  expect(commits).toEqual([['a', 'b'], ['a']])
  expect((await notes.get(storage, 'a'))?.value).toBe('second')
})

it('makes the other units when one fails', async () => {
  const { storage, commit } = createFixture()
  const results = await Promise.allSettled([
    commit([notes.write('a', '1')]),
    commit([notes.write('b', '2'), notes.write('c', '3', { if: 'no such version' })]),
    commit([notes.write('', 'an id that is refused')]),
    commit([notes.write('d', '4')]),
  ])
  expect(results).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { reason: 'StorageConflict' } },
    { status: 'rejected', reason: expect.any(TypeError) },
    { status: 'fulfilled' },
  ])
  const stored = await storage.get(notes, ['a', 'b', 'c', 'd'])
  expect(stored.map((record) => record?.value)).toEqual(['1', undefined, undefined, '4'])
})

it('rejects all calls at once when the storage is down, and goes on when it is back', async () => {
  const { commits, commit, failWith } = createFixture()
  failWith(storageUnavailable('gone'))
  const results = await Promise.allSettled([
    commit([notes.write('a', '1')]),
    commit([notes.write('b', '2')]),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(commits).toHaveLength(1)
  failWith(undefined)
  await expect(commit([notes.write('a', '1')])).resolves.toHaveLength(1)
})
