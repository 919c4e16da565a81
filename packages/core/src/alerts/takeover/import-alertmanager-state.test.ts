import { createMemoryStorage } from '@gatehouse/store-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createAlerts } from '../create-alerts.ts'
import { listSilences } from '../silences/list-silences.ts'
import { importAlertmanagerState } from './import-alertmanager-state.ts'

const now = Date.UTC(2026, 0, 1)
const hourMs = 3_600_000

function start() {
  const clock = createManualClock(now)
  const config = 'route: { receiver: a }\nreceivers: [{ name: a }]\n'
  return createAlerts({ storage: createMemoryStorage({ clock }), clock, config, logger: false })
}

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))]
const number = (field: number, value: number): number[] => [...varint(field * 8), ...varint(value)]
const block = (field: number, content: readonly number[]): number[] => [
  ...varint(field * 8 + 2),
  ...varint(content.length),
  ...content,
]
const text = (field: number, value: string): number[] => block(field, [...Buffer.from(value)])
const time = (field: number, at: number): number[] => block(field, number(1, at / 1_000))
const far = 9e15
const file = (...messages: readonly number[][]): Uint8Array =>
  Uint8Array.from(messages.flatMap((one) => [...varint(one.length), ...one]))

const matcher = (type: number, name: string, pattern: string): number[] =>
  block(2, [...(type === 0 ? [] : number(1, type)), ...text(2, name), ...text(3, pattern)])

function silence(id: string, matchers: readonly number[], expiresAt = now + 5 * hourMs): number[] {
  const content = [
    ...text(1, id),
    ...matchers,
    ...time(3, now - hourMs),
    ...time(4, now + hourMs),
    ...time(5, now - hourMs),
    ...text(8, 'maya'),
    ...text(9, 'new disks'),
    ...text(99, 'from a later version'),
  ]
  return [...block(1, content), ...time(2, expiresAt)]
}

it('takes over silences with all kinds of matchers, once', async () => {
  const alerts = start()
  const kinds = ['a', 'b', 'c', 'd'].flatMap((name, type) => matcher(type, name, `${name}.`))
  const silences = file(silence('one', kinds))
  expect(await importAlertmanagerState(alerts, { silences })).toEqual({
    silences: 1,
    notifications: 0,
    alerts: 0,
    leftOut: [],
  })
  expect(await importAlertmanagerState(alerts, { silences })).toMatchObject({ silences: 0 })
  expect(await listSilences(alerts)).toMatchObject([
    {
      id: 'one',
      createdBy: 'maya',
      comment: 'new disks',
      status: { state: 'active' },
      matchers: [
        { name: 'a', value: 'a.', isRegex: false, isEqual: true },
        { name: 'b', value: 'b.', isRegex: true, isEqual: true },
        { name: 'c', value: 'c.', isRegex: false, isEqual: false },
        { name: 'd', value: 'd.', isRegex: true, isEqual: false },
      ],
    },
  ])
})

it('leaves out silences that have no matchers or broken ones, and forgotten ones without a word', async () => {
  const silences = file(
    silence('none', []),
    silence('broken', matcher(1, 'a', '(')),
    silence('', matcher(0, 'a', 'b')),
    silence('old', matcher(0, 'a', 'b'), now),
  )
  expect(await importAlertmanagerState(start(), { silences })).toMatchObject({
    silences: 0,
    leftOut: [
      'silence none: it has no matchers that this version knows',
      'silence broken: matchers: 0: value: expected a regular expression',
      'silence : it has no id',
    ],
  })
})

it('says how many alerts of the log are not given', async () => {
  const receiver = block(2, [...text(1, 'a'), ...text(2, 'webhook')])
  const entry = [
    ...text(1, '{}:{}'),
    ...receiver,
    ...time(5, now),
    ...number(6, 7),
    ...number(6, 8),
  ]
  const notificationLog = file([...block(1, entry), ...time(2, now + hourMs)])
  expect(await importAlertmanagerState(start(), { notificationLog })).toMatchObject({
    notifications: 1,
    leftOut: ['2 of 2 alerts of the notification log: no given alert has their hash'],
  })
})

it.each([
  ['a cut file', file(silence('a', matcher(0, 'a', 'b'))).slice(0, -3), 'it ends at byte'],
  ['another file', new TextEncoder().encode('{"silences": []}'), 'a file of Alertmanager'],
  ['a time without a date', file(silence('a', matcher(0, 'a', 'b'), far)), 'is not a time'],
  ['an unknown matcher', file(silence('a', matcher(9, 'a', 'b'))), 'a matcher of an unknown type'],
])('refuses %s and stores nothing', async (_, silences, message) => {
  const alerts = start()
  await expect(importAlertmanagerState(alerts, { silences })).rejects.toMatchObject({
    reason: 'InvalidInput',
    message: expect.stringContaining(message),
  })
  expect(await listSilences(alerts)).toEqual([])
})

it('refuses any bytes with one error, or reads them', async () => {
  const alerts = start()
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (silences) => {
      const outcome = await importAlertmanagerState(alerts, { silences, notificationLog: silences })
        .then(() => 'read')
        .catch(({ reason }) => reason)
      expect(['read', 'InvalidInput']).toContain(outcome)
    }),
    { numRuns: 500 },
  )
})
