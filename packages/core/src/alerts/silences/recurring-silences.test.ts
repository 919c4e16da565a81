import { afterEach, describe, expect, it } from 'vitest'
import type { Running } from '../../async/running.ts'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { createAlerts } from '../create-alerts.ts'
import { updateAlertsConfig } from '../running-config/update-alerts-config.ts'
import { config, createFixture } from '../service.fixture.ts'
import { silenceCollection } from '../silence/silence.ts'
import { startMaintenance } from '../start/start-maintenance.ts'
import { createRecurringSilence, type RecurringSilenceInput } from './create-recurring-silence.ts'
import { createSilence } from './create-silence.ts'
import { deleteRecurringSilence } from './delete-recurring-silence.ts'
import { expireSilence } from './expire-silence.ts'
import { listOccurrences, listRecurringSilences } from './list-recurring-silences.ts'
import { listSilences } from './list-silences.ts'
import { makeSilences } from './make-silences.ts'

const hour = 3_600_000

/** Every night from 22 to 24 o'clock in UTC; the clock of the fixture stands at noon of 2 January 2026. */
const nightly: RecurringSilenceInput = {
  matchers: [{ name: 'job', value: 'backup', isRegex: false }],
  timeIntervals: [{ times: [{ startTime: '22:00', endTime: '24:00' }] }],
  createdBy: 'maya',
  comment: 'the backup',
}

const spans = (all: readonly { startsAt: string; endsAt: string }[]): string[] =>
  all.map(({ startsAt, endsAt }) => `${startsAt.slice(0, 16)} ${endsAt.slice(0, 16)}`)

describe('occurrences', () => {
  const { alerts } = createFixture()

  it.each([
    [
      'hours of weekdays in a zone, across the change to summer time',
      [
        {
          weekdays: ['sunday'],
          times: [{ startTime: '01:30', endTime: '03:30' }],
          months: ['march'],
          location: 'Europe/Berlin',
        },
      ],
      ['2026-03-01T00:30 2026-03-01T02:30', '2026-03-08T00:30 2026-03-08T02:30'],
    ],
    [
      'whole days in a zone',
      [{ daysOfMonth: ['-1'], location: 'Asia/Kathmandu' }],
      ['2026-01-30T18:15 2026-01-31T18:15', '2026-02-27T18:15 2026-02-28T18:15'],
    ],
    [
      'odd minutes',
      [{ times: [{ startTime: '12:07', endTime: '12:09' }] }],
      ['2026-01-02T12:07 2026-01-02T12:09', '2026-01-03T12:07 2026-01-03T12:09'],
    ],
    [
      'intervals that overlap, as one',
      [
        { times: [{ startTime: '12:00', endTime: '14:00' }] },
        { times: [{ startTime: '13:00', endTime: '15:00' }] },
      ],
      ['2026-01-02T12:00 2026-01-02T15:00', '2026-01-03T12:00 2026-01-03T15:00'],
    ],
    [
      'leap days',
      [{ daysOfMonth: ['29'], months: ['february'] }],
      ['2028-02-29T00:00 2028-03-01T00:00'],
    ],
    ['always', [{}], ['2026-01-02T12:00 2026-02-02T12:00', '2026-02-02T12:00 2026-03-05T12:00']],
    [
      // 02:31 is skipped when the clocks go forward, on the only day of the interval.
      'a time that never exists',
      [
        {
          times: [{ startTime: '02:31', endTime: '02:32' }],
          weekdays: ['sunday'],
          daysOfMonth: ['-7:-1'],
          months: ['march'],
          location: 'Europe/Berlin',
        },
      ],
      [],
    ],
    [
      'a time that exists twice, as one or two',
      [
        {
          times: [{ startTime: '02:15', endTime: '02:45' }],
          months: ['october'],
          daysOfMonth: ['25'],
          years: ['2026'],
          location: 'Europe/Berlin',
        },
      ],
      ['2026-10-25T00:15 2026-10-25T00:45', '2026-10-25T01:15 2026-10-25T01:45'],
    ],
    ['never again', [{ years: ['2025'] }], []],
    ['nothing', [], []],
  ])('of %s', async (_, intervals, expected) => {
    const found = await listOccurrences(alerts, intervals)
    expect(spans(found).slice(0, expected.length || 1)).toEqual(expected)
  })

  it('keep to the wall clock when the offset of a zone changes', async () => {
    const given = [
      {
        times: [{ startTime: '08:00', endTime: '09:00' }],
        months: ['3'],
        location: 'Europe/Berlin',
      },
    ]
    const found = await listOccurrences(alerts, given, 31)
    expect(spans(found).slice(27, 29)).toEqual([
      '2026-03-28T07:00 2026-03-28T08:00',
      '2026-03-29T06:00 2026-03-29T07:00',
    ])
  })

  it.each([
    [[{ weekdays: ['funday'] }], 'timeIntervals[0].weekdays[0]: expected a valid entry (funday is'],
    [[{ times: [{ startTime: '8', endTime: '9' }] }], 'timeIntervals[0].times[0]: expected'],
    [[{ location: 'Moon/Base' }], 'timeIntervals[0].location: expected a valid entry'],
    [Array(101).fill({}), 'timeIntervals: expected a list of at most 100'],
    [[{ hours: [] }], 'timeIntervals[0]'],
  ])('are refused for %j', async (intervals, message) => {
    await expect(listOccurrences(alerts, intervals)).rejects.toThrow(message)
  })
})

describe('a recurring silence', () => {
  let running: Running | undefined
  afterEach(() => running?.stop())

  it('becomes an ordinary silence a day before it holds, once for each occurrence', async () => {
    const { alerts, clock } = createFixture()
    const made = await createRecurringSilence(alerts, nightly)
    const first = '2026-01-02T22:00 2026-01-03T00:00'
    expect(spans(await listSilences(alerts))).toEqual([first])
    expect(spans([made.next ?? expect.fail()])).toEqual([first])
    running = startMaintenance(alerts)
    for (let i = 0; i < 11; i++) {
      clock.advance(hour)
      await makeSilences(alerts)
    }
    const second = '2026-01-03T22:00 2026-01-04T00:00'
    expect(spans(await listSilences(alerts))).toEqual([first, second])
    const [silence] = await listSilences(alerts)
    expect(silence).toMatchObject({
      createdBy: 'maya',
      comment: 'the backup',
      status: { state: 'active' },
    })
  })

  it('is not made again if somebody has ended it', async () => {
    const { alerts } = createFixture()
    await createRecurringSilence(alerts, nightly)
    const [silence] = await listSilences(alerts)
    await expireSilence(alerts, silence?.id ?? '')
    expect(await makeSilences(alerts)).toBe(0)
    expect(await listSilences(alerts, { expired: false })).toEqual([])
  })

  it('is made once by several processes', async () => {
    const { alerts, clock, storage } = createFixture()
    const others = [1, 2, 3].map(() => createAlerts({ storage, clock, config }))
    await Promise.all(others.map((one) => createRecurringSilence(one, nightly)))
    await Promise.all([alerts, ...others].map((one) => makeSilences(one)))
    expect(await listSilences(alerts)).toHaveLength(3)
    clock.advance(24 * hour)
    await Promise.all([alerts, ...others].map((one) => makeSilences(one)))
    expect(await listSilences(alerts, { expired: false })).toHaveLength(3)
  })

  it('takes its silence with it when it is deleted', async () => {
    const { alerts, clock } = createFixture()
    const { id } = await createRecurringSilence(alerts, nightly)
    clock.advance(11 * hour)
    expect(await listSilences(alerts)).toMatchObject([{ status: { state: 'active' } }])
    await deleteRecurringSilence(alerts, id)
    expect(await listSilences(alerts)).toMatchObject([{ status: { state: 'expired' } }])
    expect(await listRecurringSilences(alerts)).toEqual([])
    const again = deleteRecurringSilence(alerts, id)
    await expect(again).rejects.toMatchObject({ reason: 'RecurringSilenceNotFound' })
  })

  it('changes, and its silences with it', async () => {
    const { alerts, clock } = createFixture()
    const { id, createdAt } = await createRecurringSilence(alerts, nightly)
    clock.advance(11 * hour)
    const earlier = { timeIntervals: [{ times: [{ startTime: '21:00', endTime: '23:30' }] }] }
    const changed = await createRecurringSilence(alerts, { ...nightly, ...earlier, id })
    expect(changed).toMatchObject({ id, createdAt, ...earlier })
    expect(spans(await listSilences(alerts, { expired: false }))).toEqual([
      '2026-01-02T23:00 2026-01-02T23:30',
      '2026-01-03T21:00 2026-01-03T23:30',
    ])
    expect(await listRecurringSilences(alerts)).toHaveLength(1)
    await deleteRecurringSilence(alerts, id)
    const gone = createRecurringSilence(alerts, { ...nightly, id })
    await expect(gone).rejects.toMatchObject({ reason: 'RecurringSilenceNotFound' })
    expect(await listRecurringSilences(alerts)).toEqual([])
  })

  it('takes the silences of its present and its next occurrence with it', async () => {
    const { alerts, clock } = createFixture()
    const { id } = await createRecurringSilence(alerts, nightly)
    clock.advance(10 * hour + 60_000)
    await makeSilences(alerts)
    const [{ silenceIds } = expect.fail()] = await listRecurringSilences(alerts)
    expect(silenceIds).toHaveLength(2)
    await deleteRecurringSilence(alerts, id)
    expect(await listSilences(alerts, { expired: false })).toEqual([])
  })

  it('keeps the limits of silences, and is made when there is room again', async () => {
    const { storage, clock } = createFixture()
    const alerts = createAlerts({
      storage,
      clock,
      config,
      maxSilences: 1,
      maxMatchersPerSilence: 1,
    })
    const other = await createSilence(alerts, {
      matchers: nightly.matchers,
      endsAt: clock.now() + hour,
      createdBy: 'maya',
      comment: '',
    })
    await createRecurringSilence(alerts, nightly)
    expect((await listSilences(alerts)).map(({ id }) => id)).toEqual([other])
    await storage.commit([silenceCollection.remove(other)])
    expect(await makeSilences(alerts)).toBe(1)
    const two = [...nightly.matchers, ...nightly.matchers]
    await expect(
      createRecurringSilence(alerts, { ...nightly, matchers: two }),
    ).rejects.toMatchObject({ reason: 'SilenceLimitExceeded' })
  })

  it('keeps its silences if a limit has no room for those that would replace them', async () => {
    const { storage, clock } = createFixture()
    const alerts = createAlerts({ storage, clock, config, maxSilences: 1 })
    const { id } = await createRecurringSilence(alerts, nightly)
    clock.advance(10 * hour)
    const change = { ...nightly, id, comment: 'the backup of databases' }
    await expect(createRecurringSilence(alerts, change)).rejects.toMatchObject({
      reason: 'SilenceLimitExceeded',
    })
    const active = { comment: 'the backup', status: { state: 'active' } }
    expect(await listSilences(alerts)).toMatchObject([active])
    expect(await listRecurringSilences(alerts)).toMatchObject([{ comment: 'the backup' }])
    const roomy = createAlerts({ storage, clock, config, maxSilences: 2 })
    await createRecurringSilence(roomy, change)
    expect(await listSilences(roomy, { expired: false })).toMatchObject([
      { comment: 'the backup of databases', status: { state: 'active' } },
    ])
  })

  it('replaces its silences in the commit of a change', async () => {
    const { storage, clock } = createFixture()
    const commits: string[][] = []
    const alerts = createAlerts({
      clock,
      config,
      storage: {
        ...storage,
        commit(writes) {
          commits.push(writes.map(({ collection }) => collection.name))
          return storage.commit(writes)
        },
      },
    })
    const { id } = await createRecurringSilence(alerts, nightly)
    clock.advance(10 * hour)
    commits.length = 0
    await createRecurringSilence(alerts, { ...nightly, id, comment: 'changed' })
    expect(commits[0]?.sort()).toEqual(['recurring_silences', 'silences', 'silences'])
  })

  it('has the silences of two occurrences at most, however often it occurs', async () => {
    const { alerts } = createFixture()
    const times = Array.from({ length: 20 }, (_, i) => ({
      startTime: `13:${10 + 2 * i}`,
      endTime: `13:${11 + 2 * i}`,
    }))
    await createRecurringSilence(alerts, { ...nightly, timeIntervals: [{ times }] })
    expect(await listSilences(alerts)).toHaveLength(2)
  })

  it.each([
    [{ ...nightly, matchers: [] }, 'at least one matcher must not match the empty string'],
    [{ ...nightly, timeIntervals: [{ name: 'x' }] }, 'has no time interval "x"'],
    [{ ...nightly, timeIntervals: [{ name: 'day', years: ['2027'] }] }, 'either a name or'],
    [{ ...nightly, timeIntervals: [] }, 'it does not occur in the next five years'],
    [{ ...nightly, timeIntervals: [{ years: ['2020'] }] }, 'it does not occur in the next five'],
  ])('is refused: %j', async (given, message) => {
    const { alerts } = createFixture()
    await expect(createRecurringSilence(alerts, given)).rejects.toThrow(message)
    expect(await listRecurringSilences(alerts)).toEqual([])
  })

  it('holds in a time interval of the configuration, as it is when a silence is made', async () => {
    const { alerts, clock } = createFixture()
    const daily = { ...nightly, timeIntervals: [{ name: 'day' }] }
    expect(spans(await listOccurrences(alerts, daily.timeIntervals, 2))).toEqual([
      '2026-01-02T12:00 2026-01-02T20:00',
      '2026-01-03T08:00 2026-01-03T20:00',
    ])
    await createRecurringSilence(alerts, daily)
    const made = async () => spans(await listSilences(alerts)).sort()
    const first = ['2026-01-02T12:00 2026-01-02T20:00', '2026-01-03T08:00 2026-01-03T20:00']
    expect(await made()).toEqual(first)
    updateAlertsConfig(alerts, config.replace('08:00', '18:00'))
    clock.advance(31 * hour)
    await makeSilences(alerts)
    expect(await made()).toEqual([...first, '2026-01-04T18:00 2026-01-04T20:00'])
    updateAlertsConfig(alerts, 'route: { receiver: r }\nreceivers: [{ name: r }]')
    clock.advance(48 * hour)
    expect(await makeSilences(alerts)).toBe(0)
    const [left] = await listRecurringSilences(alerts)
    expect(left).toMatchObject(daily)
    expect(left).not.toHaveProperty('next')
    const unknown = 'the configuration has no time interval "day"'
    await expect(createRecurringSilence(alerts, daily)).rejects.toThrow(unknown)
    await expect(listOccurrences(alerts, daily.timeIntervals)).rejects.toThrow(unknown)
  })

  it('is created, listed, previewed and deleted over HTTP', async () => {
    const { alerts } = createFixture()
    const serve = fetchHandler(alerts.routes)
    const send = (method: string, path: string, body?: object): Promise<Response> =>
      serve(
        new Request(`http://host/gatehouse/v1/${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      )
    const made = await (await send('POST', 'recurring-silences', nightly)).json()
    expect(made).toMatchObject({ createdBy: 'maya', timeIntervals: nightly.timeIntervals })
    const { items } = (await (await send('GET', 'recurring-silences')).json()) as {
      items: { id: string }[]
    }
    const [listed] = items
    expect(listed).toMatchObject({ silenceIds: [expect.any(String)], next: expect.anything() })
    const { timeIntervals } = nightly
    const preview = await send('POST', 'recurrence-preview', { timeIntervals })
    expect(await preview.json()).toMatchObject({ items: { length: 10 } })
    const path = `recurring-silences/${listed?.id}`
    expect((await send('DELETE', path)).status).toBe(200)
    expect((await send('DELETE', path)).status).toBe(404)
    expect((await send('POST', 'recurrence-preview', {})).status).toBe(400)
  })
})
