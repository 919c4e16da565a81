import { expect, it } from 'vitest'
import { sampleWebhook } from '../webhook.fixture.ts'
import { createRunDurations } from './retry-after.ts'

it('the time to retry is the probable duration of the runs before, from 1 to 60 s', () => {
  const durations = createRunDurations()
  const webhook = sampleWebhook()
  expect(durations.secondsFor(webhook, 100)).toBe(1)
  durations.note(webhook, 2_000)
  expect([1, 3, 100].map((runs) => durations.secondsFor(webhook, runs))).toEqual([2, 6, 60])
  const wide = sampleWebhook({ concurrency: 4 })
  durations.note(wide, 2_000)
  expect(durations.secondsFor(wide, 8)).toBe(4)
  const unlimited = sampleWebhook({ concurrency: 0 })
  durations.note(unlimited, 2_000)
  expect(durations.secondsFor(unlimited, 1)).toBe(2)
})

it('later runs count more than earlier ones', () => {
  const durations = createRunDurations()
  const webhook = sampleWebhook()
  for (let run = 0; run < 30; run++) durations.note(webhook, 30_000)
  for (let run = 0; run < 30; run++) durations.note(webhook, 1_000)
  expect(durations.secondsFor(webhook, 1)).toBe(2)
})
