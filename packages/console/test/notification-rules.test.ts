import type { NotificationCounts } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import { readMetrics, sumOf } from '../src/metrics/metrics-text.ts'
import {
  maxReadings,
  pointsOf,
  type Reading,
  readSigns,
  withReading,
} from '../src/metrics/vital-signs.ts'
import { chartEnds } from '../src/notifications/chart-ends.ts'
import { partsOf as tableOf, totalsOf } from '../src/notifications/counts.ts'
import { outcomeChoiceOf, outcomesOf, periodOf, startOf } from '../src/notifications/outcomes.ts'
import { formatBytes } from '../src/status/bytes.ts'
import { partsOf } from '../src/status/find-in-text.ts'
import { versionsOf } from '../src/status/versions.ts'
import { linePath } from '../src/widgets/chart/line-path.ts'

describe('reading metrics', () => {
  const wanted = new Set(['a_total', 'b'])

  it('reads samples with labels, escapes, timestamps and special numbers', () => {
    const text = [
      '# HELP a_total Text with "quotes" {and} braces.',
      '# TYPE a_total counter',
      'a_total{x="1",y="say \\"a, b\\" \\\\ \\n"} 5',
      'a_total{x="2"} 7e2 1700000000000',
      'b 0.5',
      'b{le="+Inf"} +Inf',
      'b{le="0"} -Inf',
      'other 1',
      'a_totals 1',
    ].join('\n')
    const samples = readMetrics(text, wanted)
    expect(samples).toEqual([
      { name: 'a_total', labels: { x: '1', y: 'say "a, b" \\ \n' }, value: 5 },
      { name: 'a_total', labels: { x: '2' }, value: 700 },
      { name: 'b', labels: {}, value: 0.5 },
      { name: 'b', labels: { le: '+Inf' }, value: Number.POSITIVE_INFINITY },
      { name: 'b', labels: { le: '0' }, value: Number.NEGATIVE_INFINITY },
    ])
    expect(sumOf(samples, 'a_total')).toBe(705)
    expect(sumOf(samples, 'a_total', { x: '2' })).toBe(700)
    expect(sumOf(samples, 'a_total', { x: '3' })).toBeUndefined()
  })

  it('leaves lines out that are not samples', () => {
    const lines = ['', 'b', 'b x', 'b{', 'b{x} 1', 'b{x="1} 1', 'b{x="1"}', 'b{x="1"y="2} 1', '<b>']
    expect(readMetrics(lines.join('\n'), wanted)).toEqual([])
    expect(readMetrics(`b{x="${'\\'.repeat(100_000)}"} 1`, wanted)).toHaveLength(1)
    expect(readMetrics('b 1\n'.repeat(30_000), wanted)).toHaveLength(20_000)
  })

  it('finds the vital signs', () => {
    const text = `alertmanager_alerts{state="active"} 3
alertmanager_alerts{state="suppressed"} 1
alertmanager_notifications_total{integration="webhook"} 4
alertmanager_notifications_total{integration="email"} 2
gatehouse_event_loop_delay_seconds 0.012
process_start_time_seconds 17`
    expect(readSigns(text, 5)).toEqual({
      at: 5,
      startedAt: 17,
      values: { active: 3, suppressed: 1, notifications: 6, eventLoop: 0.012 },
    })
  })
})

describe('the values that are drawn', () => {
  const reading = (at: number, notifications: number, startedAt = 1): Reading => ({
    at: at * 1_000,
    startedAt,
    values: { notifications, active: notifications },
  })

  it('are increases per second of counters, not across a restart', () => {
    const readings = [
      reading(0, 10),
      reading(5, 20),
      reading(10, 20),
      reading(15, 3, 2),
      reading(20, 5, 2),
    ]
    expect(pointsOf(readings, 'notifications').map(({ at, value }) => [at / 1_000, value])).toEqual(
      [
        [5, 2],
        [10, 0],
        [20, 0.4],
      ],
    )
    expect(pointsOf(readings, 'active').map(({ value }) => value)).toEqual([10, 20, 20, 3, 5])
    expect(pointsOf(readings, 'memory')).toEqual([])
  })

  it('are kept for a bounded time', () => {
    let readings: readonly Reading[] = []
    for (let at = 0; at < 400; at++) readings = withReading(readings, reading(at, at))
    expect(readings).toHaveLength(maxReadings)
    expect(readings[0]?.at).toBe(40_000)
  })

  it('become a line', () => {
    const box = { width: 100, height: 10, top: 4 }
    expect(linePath([0, 2, 4], box)).toBe('M0.0 10.0L50.0 5.0L100.0 0.0')
    expect(linePath([1], box)).toBe('')
    expect(linePath([0, 0], { ...box, top: 0 })).toBe('M0.0 10.0L100.0 10.0')
  })
})

describe('outcomes and times of notifications', () => {
  it('come from the address, and anything else is the default', () => {
    expect(outcomesOf(outcomeChoiceOf('failed'))).toEqual(['failed'])
    expect(outcomesOf(outcomeChoiceOf('not-sent'))).toContain('limited')
    expect(outcomesOf(outcomeChoiceOf('not-sent'))).not.toContain('sent')
    expect(outcomesOf(outcomeChoiceOf('__proto__'))).toEqual([])
    expect(periodOf('7d')).toBe('7d')
    expect(periodOf('constructor')).toBe('24h')
    expect(startOf('1h', Date.UTC(2026, 0, 1, 12, 30, 59))).toBe('2026-01-01T11:30:00.000Z')
  })

  it('are summed, and listed for a table', () => {
    const receiver = { receiver: 'team', sent: [1, 0, 2], failed: [0, 0, 3], notSent: [0, 0, 1] }
    const counts: NotificationCounts = {
      from: '2026-01-01T00:00:00Z',
      to: '2026-01-01T03:00:00Z',
      partMs: 3_600_000,
      receivers: [receiver],
      countedFrom: '2026-01-01T00:00:00Z',
    }
    expect(totalsOf(receiver)).toEqual({ sent: 3, failed: 3, notSent: 1 })
    expect(tableOf(counts).map(({ from, sent, failed }) => [from, sent, failed])).toEqual([
      ['2026-01-01T02:00:00.000Z', 2, 3],
      ['2026-01-01T00:00:00.000Z', 1, 0],
    ])
  })
})

describe('the ends of a chart', () => {
  const hourMs = 3_600_000
  const now = new Date(2026, 0, 31, 14, 48).getTime()
  const endsOf = (hours: number, until = now, zone: 'local' | 'utc' = 'local') => {
    const starts = Array.from({ length: 48 }, (_, n) => until - ((48 - n) * hours * hourMs) / 48)
    const style = { language: 'en', zone, hasSeconds: false }
    const options = { style, now, nowText: 'now' }
    return chartEnds(starts, (hours * hourMs) / 48, options).map((one) =>
      one.replaceAll('\u202f', ' '),
    )
  }

  it('have the date where a time of day alone would be ambiguous', () => {
    expect(endsOf(6)).toEqual(['8:48 AM', 'now'])
    expect(endsOf(24)).toEqual(['Jan 30, 2:48 PM', 'now'])
    expect(endsOf(7 * 24)).toEqual(['Jan 24', 'now'])
  })

  it('say that they are in UTC', () => {
    const utc = new Date(now - 6 * hourMs).toLocaleTimeString('en', {
      timeStyle: 'short',
      timeZone: 'UTC',
    })
    expect(endsOf(6, now, 'utc')).toEqual([`${utc.replaceAll('\u202f', ' ')} UTC`, 'now'])
  })

  it('do not say now for a span that has ended', () => {
    expect(endsOf(24, now - 24 * hourMs)).toEqual(['Jan 29, 2:48 PM', 'Jan 30, 2:48 PM'])
  })
})

describe('the status', () => {
  it('names versions as far as the program tells them', () => {
    const info = { version: '0.34.0', branch: '', buildUser: '', buildDate: '' }
    expect(versionsOf({ ...info, revision: 'gatehouse-1.2.3', goVersion: 'node22.1.0' })).toEqual({
      gatehouse: '1.2.3',
      api: '0.34.0',
      runtime: 'Node.js 22.1.0',
    })
    expect(versionsOf({ ...info, revision: 'gatehouse', goVersion: '' })).toEqual({ api: '0.34.0' })
  })

  it('shows bytes in units of the language', () => {
    expect(formatBytes(0, 'en')).toBe('0 bytes')
    expect(formatBytes(12_400_000, 'en')).toBe('12.4 MB')
    expect(formatBytes(12_400_000, 'de')).toBe('12,4 MB')
    expect(formatBytes(5e15, 'en')).toBe('5,000 TB')
  })

  it('finds places in a text, whatever the case, and a bounded number', () => {
    expect(partsOf('Route: a\nroute', 'ROUTE')).toEqual([
      { text: '' },
      { text: 'Route', match: 0 },
      { text: ': a\n' },
      { text: 'route', match: 1 },
      { text: '' },
    ])
    expect(partsOf('text', ' ')).toEqual([{ text: 'text' }])
    expect(partsOf('İ a', 'A').map(({ text }) => text)).toEqual(['İ a'])
    expect(partsOf('a'.repeat(1_000), 'a')).toHaveLength(1_001)
  })
})
