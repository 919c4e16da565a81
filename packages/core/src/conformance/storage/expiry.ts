import { expect, it } from 'vitest'
import { changesSince, idsOf, notes, type StorageFactory, things, useStorage } from './harness.ts'

/** Tests that a record counts as absent from its expiresAt on. */
export function describeExpiry(factory: StorageFactory): void {
  const test = useStorage(factory)

  it('get() returns expiresAt, and no longer sees the record from that instant on', async () => {
    const { storage, clock } = test
    const expiresAt = clock.now() + 1_000
    const [version] = await storage.commit([notes.write('a', 1, { expiresAt })])
    clock.advance(999)
    expect(await storage.get(notes, ['a'])).toEqual([{ id: 'a', value: 1, version, expiresAt }])
    clock.advance(1)
    expect(await storage.get(notes, ['a'])).toEqual([undefined])
  })

  it('find() does not see expired records, and they do not count for its limit', async () => {
    const { storage, clock } = test
    const expiresAt = clock.now() + 1_000
    await storage.commit([
      things.write('a', { size: 1 }, { expiresAt }),
      things.write('b', { size: 1 }, { expiresAt: expiresAt + 1 }),
      things.write('c', { size: 1 }),
    ])
    clock.setTo(expiresAt)
    for (const by of ['size', 'id']) {
      expect(idsOf(await storage.find(things, { by, limit: 2 }))).toEqual(['b', 'c'])
    }
    expect(idsOf(await storage.find(things, { by: 'size', equals: 1, limit: 1 }))).toEqual(['b'])
  })

  it('an already expired record may be written', async () => {
    const { storage, clock } = test
    await storage.commit([notes.write('a', 1, { expiresAt: clock.now() })])
    await storage.commit([notes.write('b', 1, { expiresAt: 0 })])
    expect(await storage.get(notes, ['a', 'b'])).toEqual([undefined, undefined])
  })

  it('each write replaces or removes the expiry', async () => {
    const { storage, clock } = test
    const expiresAt = clock.now() + 1_000
    await storage.commit([notes.write('a', 1, { expiresAt }), notes.write('b', 1, { expiresAt })])
    await storage.commit([notes.write('a', 2, { expiresAt: expiresAt + 1 }), notes.write('b', 2)])
    clock.setTo(expiresAt)
    expect(await storage.get(notes, ['a', 'b'])).toMatchObject([{ value: 2 }, { value: 2 }])
    clock.setTo(expiresAt + 1)
    expect(await storage.get(notes, ['a', 'b'])).toMatchObject([undefined, { value: 2 }])
    expect((await notes.get(storage, 'b'))?.expiresAt).toBeUndefined()
  })

  it('a record is back after the clock was set back, unless it was swept', async () => {
    const { storage, clock } = test
    const start = clock.now()
    await storage.commit([notes.write('a', 1, { expiresAt: start + 10 })])
    clock.advance(10)
    expect(await storage.get(notes, ['a'])).toEqual([undefined])
    clock.setTo(start)
    expect(await storage.get(notes, ['a'])).toMatchObject([{ value: 1 }])
  })

  it('an expired record can be removed without an error', async () => {
    const { storage, clock } = test
    await storage.commit([notes.write('a', 1, { expiresAt: clock.now() })])
    await storage.commit([notes.remove('a')])
    expect(await storage.get(notes, ['a'])).toEqual([undefined])
  })

  it('later commits sweep expired records, and the feed lists them as removed', async () => {
    const { storage, clock } = test
    const expired = Array.from({ length: 200 }, (_, index) => `expired-${index}`)
    const expiresAt = clock.now() + 1_000
    await storage.commit(expired.map((id) => things.write(id, {}, { expiresAt })))
    await storage.commit([things.write('later', {}, { expiresAt: expiresAt + 1e9 })])
    const { revision } = await changesSince(storage, things, 0)
    clock.advance(1_000)
    // A store may sweep beside the commits, so that the last of them does not wait for it.
    const removedAfterCommit = async (): Promise<readonly string[]> => {
      clock.advance(1_000)
      await storage.commit([notes.write('a', clock.now())])
      return (await changesSince(storage, things, revision)).removed
    }
    await expect
      .poll(async () => (await removedAfterCommit()).toSorted(), { interval: 1, timeout: 20_000 })
      .toEqual(expired.toSorted())
    expect((await changesSince(storage, things, revision)).written).toEqual([])
  })

  it('sweeping keeps a record that was written again meanwhile', async () => {
    const { storage, clock } = test
    await storage.commit([notes.write('a', 1, { expiresAt: clock.now() + 10 })])
    clock.advance(10)
    await storage.commit([notes.write('a', 2)])
    for (let round = 0; round < 5; round++) {
      clock.advance(1_000)
      await storage.commit([notes.write('b', round)])
    }
    expect(await storage.get(notes, ['a'])).toMatchObject([{ value: 2 }])
  })
}
