import { expect, it } from 'vitest'
import { defineCollection } from '../../storage/collection.ts'
import {
  changesSince,
  createFollower,
  idsOf,
  notes,
  type StorageFactory,
  things,
  useStorage,
} from './harness.ts'

/** Tests that the change feed lists written and removed records. */
export function describeChanges(factory: StorageFactory): void {
  const test = useStorage(factory)

  it('nothing has changed in a collection that was never written', async () => {
    const changes = await changesSince(test.storage, things, 0)
    expect(changes).toMatchObject({ written: [], removed: [] })
    expect(await test.storage.changes(things, changes.revision)).toEqual(changes)
  })

  it('returns written records as get() does', async () => {
    const { storage, clock } = test
    const expiresAt = clock.now() + 5
    await storage.commit([things.write('a', { size: 1 }), things.write('b', {}, { expiresAt })])
    const { written, removed } = await changesSince(storage, things, 0)
    const byId = [...written].sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId).toEqual(await storage.get(things, ['a', 'b']))
    expect(removed).toEqual([])
  })

  it('the revision grows with every commit that touches the collection', async () => {
    const { storage } = test
    const revisions = [(await changesSince(storage, things, 0)).revision]
    for (const write of [
      things.write('a', {}),
      things.write('a', {}),
      things.remove('a'),
      things.write('a', {}),
    ]) {
      await storage.commit([write])
      revisions.push((await changesSince(storage, things, revisions.at(-1) ?? 0)).revision)
    }
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b))
  })

  it('returns only changes after the revision, and none when called again', async () => {
    const { storage } = test
    await storage.commit([things.write('a', {})])
    const first = await changesSince(storage, things, 0)
    await storage.commit([things.write('b', {}), things.remove('a')])
    const second = await changesSince(storage, things, first.revision)
    expect(idsOf(second.written)).toEqual(['b'])
    expect(second.removed).toEqual(['a'])
    const third = await changesSince(storage, things, second.revision)
    expect(third).toEqual({ revision: second.revision, written: [], removed: [] })
  })

  it('returns each record once, in its current state', async () => {
    const { storage } = test
    await storage.commit([things.write('a', { size: 1 }), things.write('b', { size: 1 })])
    await storage.commit([things.write('a', { size: 2 }), things.remove('b')])
    await storage.commit([things.write('b', { size: 3 }), things.write('c', { size: 3 })])
    await storage.commit([things.remove('c')])
    const { written, removed } = await changesSince(storage, things, 0)
    const sizes = written.map(({ id, value }) => [id, value])
    expect(new Map(sizes as [string, unknown][])).toEqual(
      new Map([
        ['a', { size: 2 }],
        ['b', { size: 3 }],
      ]),
    )
    expect(written).toHaveLength(2)
    expect(removed).toEqual(['c'])
  })

  it('every reader gets the same, however far back it starts', async () => {
    const { storage } = test
    const early = createFollower(storage, things)
    const often = createFollower(storage, things)
    for (let round = 0; round < 60; round++) {
      const id = `id-${(round * 7) % 11}`
      const write = round % 5 === 4 ? things.remove(id) : things.write(id, { size: round })
      await storage.commit([write, notes.write('n', round)])
      await often.follow()
      if (round === 20) await early.follow()
    }
    await early.follow()
    const late = createFollower(storage, things)
    await late.follow()
    const all = await storage.find(things, { by: 'id', limit: 100 })
    const expected = new Map(all.map((record) => [record.id, record]))
    expect(often.records).toEqual(expected)
    expect(early.records).toEqual(expected)
    expect(late.records).toEqual(expected)
  })

  it('keeps collections apart', async () => {
    const { storage } = test
    const others = defineCollection<number>({ name: 'others', feed: true })
    await storage.commit([things.write('a', {}), others.write('b', 1)])
    await storage.commit([others.write('c', 1)])
    expect(idsOf((await changesSince(storage, things, 0)).written)).toEqual(['a'])
    const { written } = await changesSince(storage, others, 0)
    expect(idsOf(written).sort()).toEqual(['b', 'c'])
  })

  it('sees a commit as soon as it is acknowledged', async () => {
    const { storage } = test
    const follower = createFollower(storage, things)
    for (let size = 0; size < 50; size++) {
      await storage.commit([things.write('a', { size })])
      await follower.follow()
      expect(follower.records.get('a')?.value).toEqual({ size })
    }
  })

  it('follows a commit of thousands of records', async () => {
    const { storage } = test
    const ids = Array.from({ length: 5_000 }, (_, index) => `id-${index}`)
    await storage.commit(ids.map((id) => things.write(id, { size: 1 })))
    const first = await changesSince(storage, things, 0)
    expect(first.written).toHaveLength(5_000)
    await storage.commit(ids.map((id) => things.remove(id)))
    const second = await changesSince(storage, things, first.revision)
    expect(second.removed).toHaveLength(5_000)
  })

  it('returns a reset to the present for a revision that no call has returned', async () => {
    const { storage } = test
    await storage.commit([things.write('a', {})])
    const { revision } = await changesSince(storage, things, 0)
    for (const since of [revision + 1, 1e15, -1]) {
      expect(await storage.changes(things, since)).toEqual({ reset: true, revision })
    }
    await storage.commit([things.write('b', {})])
    expect(idsOf((await changesSince(storage, things, revision)).written)).toEqual(['b'])
  })

  it('is a TypeError for a collection without a feed', async () => {
    await expect(test.storage.changes(notes, 0)).rejects.toThrow(TypeError)
  })
}
