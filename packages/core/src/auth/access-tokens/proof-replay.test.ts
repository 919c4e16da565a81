import { describe, expect, it } from 'vitest'
import { createMemoryStorage } from '../../../../store-memory/src/index.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createProofMemory, createProofRecords, usedProofCollection } from './proof-replay.ts'

const minute = 60_000

describe('a memory of proofs', () => {
  it('knows a proof for two minutes at least, and forgets it after four', async () => {
    const clock = createManualClock()
    const memory = createProofMemory(clock)
    clock.advance(2 * minute)
    expect(await memory.use('a')).toBe(true)
    clock.advance(2 * minute)
    expect(await memory.use('a')).toBe(false)
    clock.advance(2 * minute + 1)
    expect([await memory.use('b'), await memory.use('a')]).toEqual([true, true])
  })

  it('of a process that was idle is empty', async () => {
    const clock = createManualClock()
    const memory = createProofMemory(clock)
    await memory.use('a')
    clock.advance(4 * minute + 1)
    expect([await memory.use('a'), await memory.use('a')]).toEqual([true, false])
  })

  it('accepts nothing while it is full, instead of forgetting', async () => {
    const clock = createManualClock()
    const memory = createProofMemory(clock)
    for (let at = 0; at < 100_000; at++) await memory.use(`${at}`)
    await expect(memory.use('one more')).rejects.toMatchObject({
      kind: 'ServiceUnavailable',
      reason: 'TokenVerifierUnavailable',
    })
    expect(await memory.use('0')).toBe(false)
    clock.advance(2 * minute + 1)
    expect([await memory.use('one more'), await memory.use('0')]).toEqual([true, false])
  })
})

it('the records of proofs go when no process would accept the proof any more', async () => {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  const [one, other] = [createProofRecords(storage, clock), createProofRecords(storage, clock)]
  expect([await one.use('a'), await other.use('a')]).toEqual([true, false])
  clock.advance(3 * minute - 1)
  expect(await other.use('a')).toBe(false)
  expect(await usedProofCollection.get(storage, 'a')).toBeDefined()
  clock.advance(1)
  expect(await usedProofCollection.get(storage, 'a')).toBeUndefined()
})
