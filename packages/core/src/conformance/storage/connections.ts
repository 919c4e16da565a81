import { expect, it } from 'vitest'
import { defineCollection } from '../../storage/collection.ts'
import { isConflict, type Storage } from '../../storage/storage.ts'
import { increment } from './concurrency.ts'
import {
  changesSince,
  createFollower,
  idsOf,
  notes,
  type SharedStorageFactory,
  things,
  useSharedStorage,
} from './harness.ts'

/** Tests that several connections to the same data act as one. */
export function describeConnections(factory: SharedStorageFactory): void {
  const test = useSharedStorage(factory)

  /** Advances the clock by the time in which commits of another process must arrive. */
  const waitForNews = (): void => test.clock.advance(1_000)

  it('a commit acknowledged by one is visible to another at once', async () => {
    const [a, b] = [test.storage, await test.another()]
    const [version] = await a.commit([things.write('x', { size: 1 })])
    expect(await b.get(things, ['x'])).toEqual([{ id: 'x', value: { size: 1 }, version }])
    await b.commit([things.remove('x')])
    expect(await a.find(things, { by: 'size', limit: 10 })).toEqual([])
  })

  it('preconditions hold across connections', async () => {
    const [a, b] = [test.storage, await test.another()]
    const [version = ''] = await a.commit([notes.write('x', 1)])
    const absent = b.commit([notes.write('x', 2, { if: 'absent' })])
    await expect(absent).rejects.toSatisfy(isConflict)
    await b.commit([notes.write('x', 2, { if: version })])
    await expect(a.commit([notes.write('x', 3, { if: version })])).rejects.toSatisfy(isConflict)
  })

  it('a version is not reused for one id', async () => {
    const [a, b] = [test.storage, await test.another()]
    const versions: string[] = []
    for (let round = 0; round < 10; round++) {
      versions.push(...(await a.commit([notes.write('x', round)])))
      await b.commit([notes.remove('x')])
      versions.push(...(await b.commit([notes.write('x', round)])))
      if (round % 3 === 0) await a.commit([notes.remove('x')])
    }
    expect(new Set(versions).size).toBe(20)
  })

  it('each sees the changes of the other within a second', async () => {
    const [a, b] = [test.storage, await test.another()]
    const start = (await changesSince(a, things, 0)).revision
    await changesSince(b, things, 0)
    await b.commit([things.write('x', {}), things.write('y', {})])
    waitForNews()
    const first = await changesSince(a, things, start)
    expect(idsOf(first.written).sort()).toEqual(['x', 'y'])
    await a.commit([things.remove('x')])
    waitForNews()
    const { removed } = await changesSince(b, things, first.revision)
    expect(removed).toEqual(['x'])
  })

  it('both follow the same history, however their commits interleave', async () => {
    const [a, b] = [test.storage, await test.another()]
    const followers = [createFollower(a, things), createFollower(b, things)]
    const storages: Storage[] = [a, b]
    for (let round = 0; round < 120; round++) {
      const id = `id-${(round * 5) % 13}`
      const write = round % 6 === 5 ? things.remove(id) : things.write(id, { size: round })
      await storages[(round * 7) % 3 === 0 ? 0 : 1]?.commit([write])
      if (round % 4 === 0) waitForNews()
      await followers[round % 3]?.follow()
    }
    waitForNews()
    for (const follower of followers) await follower.follow()
    const all = await a.find(things, { by: 'id', limit: 100 })
    const expected = new Map(all.map((record) => [record.id, record]))
    for (const follower of followers) expect(follower.records).toEqual(expected)
    expect(followers[0]?.revision).toBe(followers[1]?.revision)
  })

  it('a commit of one does not hide an earlier commit of another from its feed', async () => {
    const [a, b] = [test.storage, await test.another()]
    const follower = createFollower(a, things)
    await follower.follow()
    await b.commit([things.write('from b', {})])
    await a.commit([things.write('from a', {})])
    waitForNews()
    await follower.follow()
    expect([...follower.records.keys()].sort()).toEqual(['from a', 'from b'])
  })

  it('no increment is lost when the writers use different connections', async () => {
    const storages = [test.storage, await test.another(), await test.another()]
    const racers = storages.flatMap((storage) =>
      Array.from({ length: 10 }, () => increment(storage, 'counter')),
    )
    await Promise.all(racers)
    expect(await test.storage.get(notes, ['counter'])).toMatchObject([{ value: 30 }])
  })

  it('several may be the first to use a collection at once', async () => {
    const storages = [test.storage, await test.another(), await test.another()]
    const fresh = defineCollection<number>({ name: 'fresh', feed: true })
    await Promise.all(
      storages.map((storage, index) => storage.commit([fresh.write(`${index}`, index)])),
    )
    waitForNews()
    for (const storage of storages) {
      expect((await changesSince(storage, fresh, 0)).written).toHaveLength(3)
    }
  })

  it('a field that is declared later finds older records', async () => {
    const before = defineCollection<{ name: string }>({ name: 'people' })
    const after = defineCollection<{ name: string }>({ name: 'people', fields: { name: 'text' } })
    await test.storage.commit([before.write('1', { name: 'b' }), before.write('2', { name: 'a' })])
    const newer = await test.another()
    expect(idsOf(await after.find(newer, { by: 'name', limit: 10 }))).toEqual(['2', '1'])
    await test.storage.commit([before.write('3', { name: 'aa' })])
    expect(idsOf(await after.find(newer, { by: 'name', limit: 10 }))).toEqual(['2', '3', '1'])
  })

  it('a feed that is declared later sends its readers to find() for older records', async () => {
    const before = defineCollection<number>({ name: 'people' })
    const after = defineCollection<number>({ name: 'people', feed: true })
    await test.storage.commit([before.write('1', 1)])
    const newer = await test.another()
    const changes = await newer.changes(after, 0)
    expect(changes).toMatchObject({ reset: true })
    await newer.commit([after.write('2', 2)])
    const { written } = await changesSince(newer, after, changes.revision)
    expect(idsOf(written)).toEqual(['2'])
  })

  it('acknowledged commits survive closing', async () => {
    await test.storage.commit([things.write('x', { size: 1 })])
    await test.storage.close()
    const other = await test.another()
    expect(await other.get(things, ['x'])).toMatchObject([{ value: { size: 1 } }])
    expect(idsOf((await changesSince(other, things, 0)).written)).toEqual(['x'])
  })
}
