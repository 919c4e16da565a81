import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../testing/index.ts'
import { createSightings } from './sightings.ts'

describe('sightings', () => {
  it('count from when a key was first seen, whatever happens to the wall clock', () => {
    const clock = createManualClock()
    const sightings = createSightings(clock, 10)
    expect(sightings.age('a')).toBe(0)
    clock.advance(5)
    clock.setWallClock(0)
    expect(sightings.age('b')).toBe(0)
    clock.advance(5)
    clock.setWallClock(Date.UTC(2030, 0, 1))
    expect([sightings.age('a'), sightings.age('b')]).toEqual([10, 5])
    expect([sightings.knownAge('a'), sightings.knownAge('c')]).toEqual([10, 0])
    clock.advance(5)
    expect(sightings.knownAge('c')).toBe(0)
  })

  it('forget the least recently used keys', () => {
    const clock = createManualClock()
    const sightings = createSightings(clock, 2)
    sightings.age('a')
    sightings.age('b')
    clock.advance(5)
    sightings.age('a')
    sightings.age('c')
    expect([sightings.age('a'), sightings.age('b')]).toEqual([5, 0])
  })
})
