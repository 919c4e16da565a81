import { readMetrics, type Sample, sumOf } from './metrics-text.ts'

/** The values that the status page draws. */
export const signNames = [
  'active',
  'suppressed',
  'notifications',
  'failures',
  'requests',
  'eventLoop',
  'memory',
] as const

export type SignName = (typeof signNames)[number]

/** One reading of the metrics; a value is absent if the server does not have its metric. */
export interface Reading {
  readonly at: number
  /** When the process started; counters begin again with a new one. */
  readonly startedAt: number | undefined
  readonly values: Readonly<Partial<Record<SignName, number>>>
}

interface Sign {
  readonly metric: string
  readonly labels?: Readonly<Record<string, string>>
  /** Whether it is a counter, of which the increase per second is shown. */
  readonly isCounter?: true
}

const signs: Readonly<Record<SignName, Sign>> = {
  active: { metric: 'alertmanager_alerts', labels: { state: 'active' } },
  suppressed: { metric: 'alertmanager_alerts', labels: { state: 'suppressed' } },
  notifications: { metric: 'alertmanager_notifications_total', isCounter: true },
  failures: { metric: 'alertmanager_notifications_failed_total', isCounter: true },
  requests: { metric: 'alertmanager_http_request_duration_seconds_count', isCounter: true },
  eventLoop: { metric: 'gatehouse_event_loop_delay_seconds' },
  memory: { metric: 'process_resident_memory_bytes' },
}

const startTime = 'process_start_time_seconds'
const wanted = new Set([startTime, ...Object.values(signs).map(({ metric }) => metric)])

/** The vital signs in the text of the metrics. */
export function readSigns(text: string, at: number): Reading {
  const samples: readonly Sample[] = readMetrics(text, wanted)
  const values: Partial<Record<SignName, number>> = {}
  for (const name of signNames) {
    const { metric, labels } = signs[name]
    const value = sumOf(samples, metric, labels)
    if (value !== undefined) values[name] = value
  }
  return { at, startedAt: sumOf(samples, startTime), values }
}

/** A value to draw. */
export interface Point {
  readonly at: number
  readonly value: number
}

/** The values of a sign over some readings. Of a counter: its increase per second since the reading before. */
export function pointsOf(readings: readonly Reading[], name: SignName): readonly Point[] {
  const points: Point[] = []
  let before: Reading | undefined
  for (const reading of readings) {
    const value = reading.values[name]
    if (value === undefined) continue
    if (signs[name].isCounter !== true) points.push({ at: reading.at, value })
    else {
      const last = before?.values[name]
      const seconds = (reading.at - (before?.at ?? reading.at)) / 1_000
      // After a restart, and when another process of the cluster answers, the counter says nothing about the time between.
      const isSame = before?.startedAt === reading.startedAt
      if (last !== undefined && seconds > 0 && isSame && value >= last) {
        points.push({ at: reading.at, value: (value - last) / seconds })
      }
    }
    before = reading
  }
  return points
}

/** The most readings that are kept: half an hour at one each five seconds. */
export const maxReadings = 360

/** The readings with one more; the oldest is forgotten. */
export const withReading = (readings: readonly Reading[], next: Reading): readonly Reading[] =>
  [...readings, next].slice(-maxReadings)
