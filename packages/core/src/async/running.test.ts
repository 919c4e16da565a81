import { describe, expect, it } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { repeat, stopAll, stoppedOnce } from './running.ts'

describe('stopAll', () => {
  it('stops all at once and waits for the last one', async () => {
    const ends: (() => void)[] = []
    const slow = () => ({ stop: () => new Promise<void>((resolve) => ends.push(resolve)) })
    let isStopped = false
    const stopped = stopAll(slow(), slow()).then(() => {
      isStopped = true
    })
    expect(ends).toHaveLength(2)
    ends[0]?.()
    await Promise.resolve()
    expect(isStopped).toBe(false)
    ends[1]?.()
    await stopped
  })

  it('stops the others if one fails, and reports it', async () => {
    let stops = 0
    const good = { stop: async () => void stops++ }
    const bad = {
      stop: () => {
        throw new Error('stuck')
      },
    }
    await expect(stopAll(good, bad, good)).rejects.toMatchObject({ errors: [{ message: 'stuck' }] })
    expect(stops).toBe(2)
  })
})

it('several calls of stop() wait for one end', async () => {
  let ends = 0
  const running = stoppedOnce(async () => void ends++)
  await Promise.all([running.stop(), running.stop()])
  expect(ends).toBe(1)
})

describe('repeat', () => {
  it.each([false, true])('takes turns until it is stopped, delayed: %s', async (isDelayed) => {
    const clock = createManualClock()
    let turns = 0
    const running = repeat({ clock, intervalMs: 1_000, isDelayed }, async () => void turns++)
    expect(turns).toBe(isDelayed ? 0 : 1)
    await clock.advance(0) // the timer is set at the end of the first turn
    for (const _ of [1, 2, 3]) await clock.advance(1_000)
    expect(turns).toBe(isDelayed ? 3 : 4)
    await running.stop()
    await clock.advance(3_000)
    expect(turns).toBe(isDelayed ? 3 : 4)
  })

  it('waits for the turn in progress, tells it to end, and takes no other', async () => {
    const clock = createManualClock()
    let finish = (): void => {}
    let turns = 0
    let isToldToEnd = false
    const running = repeat({ clock, intervalMs: 1_000 }, async (isStopped) => {
      turns++
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      isToldToEnd = isStopped()
    })
    const stopped = running.stop()
    finish()
    await stopped
    await clock.advance(5_000)
    expect([turns, isToldToEnd]).toEqual([1, true])
  })
})
