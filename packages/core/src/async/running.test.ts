import { describe, expect, it } from 'vitest'
import { stopAll, stoppedOnce } from './running.ts'

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
