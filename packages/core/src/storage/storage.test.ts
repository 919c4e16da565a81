import { describe, expect, it } from 'vitest'
import { defineCollection } from './collection.ts'
import { retryOnConflict, storageConflict, storageUnavailable } from './storage.ts'

const lamps = defineCollection({ name: 'lamps' })

describe('retryOnConflict', () => {
  const conflict = storageConflict(lamps, 'a')

  /** Fails the given number of times, then returns. */
  const failing = (
    times: number,
    error: Error,
  ): { calls: number; decide: () => Promise<string> } => {
    const state = {
      calls: 0,
      async decide() {
        state.calls++
        if (state.calls <= times) throw error
        return 'done'
      },
    }
    return state
  }

  it('repeats the decision until there is no conflict, the first time at once', async () => {
    const waits: number[] = []
    const sleep = async (ms: number): Promise<void> => {
      waits.push(ms)
    }
    const state = failing(12, conflict)
    expect(await retryOnConflict(state.decide, { sleep })).toBe('done')
    expect(state.calls).toBe(13)
    expect(waits).toHaveLength(11)
    expect(waits.every((ms) => ms >= 0 && ms <= 50)).toBe(true)
  })

  it('rejects with the conflict after its attempts', async () => {
    const state = failing(100, conflict)
    const options = { attempts: 3, sleep: async () => {} }
    await expect(retryOnConflict(state.decide, options)).rejects.toBe(conflict)
    expect(state.calls).toBe(3)
  })

  it('does not retry other errors', async () => {
    const state = failing(1, storageUnavailable('down'))
    await expect(retryOnConflict(state.decide)).rejects.toMatchObject({ message: 'down' })
    expect(state.calls).toBe(1)
  })
})

describe('defineCollection', () => {
  it('creates the writes of its records', () => {
    expect(lamps.write('a', 1)).toEqual({ collection: lamps, id: 'a', value: 1 })
    expect(lamps.write('a', 1, { if: 'absent', expiresAt: 5 })).toEqual({
      collection: lamps,
      id: 'a',
      value: 1,
      if: 'absent',
      expiresAt: 5,
    })
    expect(lamps.remove('a')).toEqual({ collection: lamps, id: 'a', value: undefined })
    expect(lamps.remove('a', '7')).toEqual({
      collection: lamps,
      id: 'a',
      value: undefined,
      if: '7',
    })
  })

  it('has no fields and no feed by default', () => {
    expect(lamps).toMatchObject({ name: 'lamps', fields: {}, feed: false })
    expect(defineCollection({ name: 'x', fields: { endsAt: 'number' }, feed: true })).toMatchObject(
      {
        fields: { endsAt: 'number' },
        feed: true,
      },
    )
  })
})
