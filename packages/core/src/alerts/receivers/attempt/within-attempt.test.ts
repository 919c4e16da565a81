import { expect, it } from 'vitest'
import { collectAllGarbage } from '../../../../../../test-support/reachable-bytes.ts'
import { createManualClock } from '../../../testing/index.ts'
import { systemClock } from '../../../time/clock.ts'
import { withinAttempt } from './within-attempt.ts'

/** Resolves with the reason when a signal is aborted. */
const reasonOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))

it('passes the signal of the notification to an attempt without its own timeout', async () => {
  const { signal } = new AbortController()
  const limits = { clock: createManualClock(), signal, timeoutMs: 0 }
  expect(await withinAttempt(limits, async (given) => given)).toBe(signal)
})

it('aborts the attempt with the notification', async () => {
  const controller = new AbortController()
  const { signal } = controller
  const reason = withinAttempt({ clock: createManualClock(), signal, timeoutMs: 60_000 }, reasonOf)
  controller.abort(new Error('the flush is over'))
  expect(await reason).toEqual(new Error('the flush is over'))
})

it('aborts the attempt exactly at its timeout', async () => {
  const clock = createManualClock()
  const { signal } = new AbortController()
  let isOver = false
  const limits = { clock, signal, timeoutMs: 400 * 24 * 3_600_000 }
  const reason = withinAttempt(limits, (given) => {
    given.addEventListener('abort', () => {
      isOver = true
    })
    return reasonOf(given)
  })
  clock.advance(limits.timeoutMs - 1)
  expect(isOver).toBe(false)
  clock.advance(1)
  expect(await reason).toMatchObject({ name: 'TimeoutError' })
})

it('clears the timeout of a finished attempt', async () => {
  const clock = createManualClock()
  const { signal } = new AbortController()
  const given = await withinAttempt({ clock, signal, timeoutMs: 100 }, async (it) => it)
  clock.advance(100)
  expect(given.aborted).toBe(false)
})

it('aborts the attempt also after a garbage collection', async () => {
  const { signal } = new AbortController()
  const reason = withinAttempt({ clock: systemClock, signal, timeoutMs: 50 }, reasonOf)
  await new Promise((resolve) => setImmediate(resolve))
  collectAllGarbage()
  expect(await reason).toMatchObject({ name: 'TimeoutError' })
})
