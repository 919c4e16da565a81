import { expect, it } from 'vitest'
import { attemptSignal } from './attempt-signal.ts'

it('is the signal of the notification where an attempt has no limit of its own', () => {
  const { signal } = new AbortController()
  expect(attemptSignal(signal, 0)).toBe(signal)
})

it('ends with the notification', () => {
  const controller = new AbortController()
  const signal = attemptSignal(controller.signal, 60_000)
  expect(signal.aborted).toBe(false)
  controller.abort(new Error('the flush is over'))
  expect(signal.reason).toEqual(new Error('the flush is over'))
})

it('ends after a time, also one of less than a millisecond', async () => {
  const signal = attemptSignal(new AbortController().signal, 0.25)
  await new Promise((resolve) => signal.addEventListener('abort', () => resolve(0)))
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})

it('takes a time longer than timers can wait', async () => {
  const signal = attemptSignal(new AbortController().signal, 400 * 24 * 3_600_000)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(signal.aborted).toBe(false)
})
