import { describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { createAlerts } from '../create-alerts.ts'
import { explain } from '../running-config/explain.ts'
import { config, createFixture } from '../service.fixture.ts'
import type { PostableSilence } from '../silence/silence-input.ts'
import { createSilence } from './create-silence.ts'
import { expireSilence } from './expire-silence.ts'
import { extendSilence } from './extend-silence.ts'
import { followSilences } from './follow-silences.ts'
import { getSilence } from './get-silence.ts'

const minute = 60_000
const hour = 60 * minute
const noon = Date.UTC(2026, 0, 2, 12)

const silence: PostableSilence = {
  matchers: [{ name: 'team', value: 'db', isRegex: false }],
  startsAt: noon,
  endsAt: noon + hour,
  createdBy: 'maya',
  comment: 'a new disk',
}

const stateOf = async (alerts: AlertsContext, id: string): Promise<string> =>
  (await getSilence(alerts, id)).status.state

describe('a silence until its alerts resolve', () => {
  const until = { ...silence, untilResolved: true }

  it('ends when the last of them has resolved', async () => {
    const { alerts, clock } = createFixture()
    const id = await createSilence(alerts, until)
    const fire = (name: string, forMs: number): Promise<void> =>
      postAlerts(alerts, [{ labels: { alertname: name, team: 'db' }, endsAt: clock.now() + forMs }])
    await followSilences(alerts)
    expect(await stateOf(alerts, id)).toBe('active')
    await fire('Disk', 5 * minute)
    await fire('Load', 10 * minute)
    await followSilences(alerts)
    clock.advance(6 * minute)
    expect(await followSilences(alerts)).toBe(0)
    expect(await stateOf(alerts, id)).toBe('active')
    clock.advance(6 * minute)
    expect(await followSilences(alerts)).toBe(1)
    expect(await getSilence(alerts, id)).toMatchObject({
      status: { state: 'expired' },
      endsAt: '2026-01-02T12:12:00.000Z',
      untilResolved: true,
    })
    await fire('Disk', hour)
    expect(await listAlerts(alerts, { silenced: false })).toHaveLength(1)
  })

  it('remembers across a restart that it has covered one, and ends at its end at the latest', async () => {
    const { alerts, clock, storage } = createFixture()
    const id = await createSilence(alerts, until)
    const endsAt = noon + 5 * minute
    await postAlerts(alerts, [{ labels: { alertname: 'Disk', team: 'db' }, endsAt }])
    await followSilences(alerts)
    clock.advance(6 * minute)
    const other = createAlerts({ storage, clock, config })
    const both = await Promise.all([other, alerts].map((one) => followSilences(one)))
    expect(both.reduce((a, b) => a + b)).toBe(1)
    expect(await stateOf(other, id)).toBe('expired')
  })

  it('ends with an alert that came and went between two looks, not with one from before', async () => {
    const { alerts, clock } = createFixture()
    const labels = { alertname: 'A', team: 'db' }
    await postAlerts(alerts, [{ labels, startsAt: noon - hour, endsAt: noon - minute }])
    const id = await createSilence(alerts, until)
    await followSilences(alerts)
    expect(await stateOf(alerts, id)).toBe('active')
    await postAlerts(alerts, [{ labels, endsAt: noon + 5_000 }])
    clock.advance(10_000)
    expect(await followSilences(alerts)).toBe(1)
    expect(await stateOf(alerts, id)).toBe('expired')
  })

  it('leaves other silences alone', async () => {
    const { alerts, clock } = createFixture()
    const id = await createSilence(alerts, silence)
    const endsAt = noon + minute
    await postAlerts(alerts, [{ labels: { alertname: 'Disk', team: 'db' }, endsAt }])
    await followSilences(alerts)
    clock.advance(2 * minute)
    expect(await followSilences(alerts)).toBe(0)
    expect(await stateOf(alerts, id)).toBe('active')
    expect(Object.keys(await getSilence(alerts, id))).not.toContain('untilResolved')
  })
})

describe('the reminder of a silence', () => {
  const reminded = { ...silence, remindBeforeMs: 10 * minute }
  const firing = async (alerts: AlertsContext): Promise<readonly string[]> =>
    (await listAlerts(alerts)).map(({ labels, endsAt }) => `${labels.alertname} ${endsAt}`)

  it('fires before the end, once, and ends with the silence', async () => {
    const { alerts, clock, storage } = createFixture()
    const other = createAlerts({ storage, clock, config })
    const id = await createSilence(alerts, reminded)
    clock.advance(49 * minute)
    await followSilences(alerts)
    expect(await firing(alerts)).toEqual([])
    clock.advance(minute)
    await Promise.all([alerts, other, alerts].map((one) => followSilences(one)))
    expect(await listAlerts(alerts)).toMatchObject([
      {
        labels: { alertname: 'SilenceEnding', silence: id, team: 'db' },
        annotations: {
          summary: 'The silence {team="db"} ends soon',
          created_by: 'maya',
          comment: 'a new disk',
        },
        startsAt: '2026-01-02T12:50:00.000Z',
        endsAt: '2026-01-02T13:00:00.000Z',
      },
    ])
    clock.advance(10 * minute)
    await followSilences(alerts)
    expect(await firing(alerts)).toEqual([])
  })

  it('is not covered by the silence itself, not even by one of everything', async () => {
    const { alerts, clock } = createFixture()
    const everything = [{ name: 'alertname', value: '.+', isRegex: true }]
    const both = { ...reminded, matchers: everything, untilResolved: true }
    const id = await createSilence(alerts, both)
    clock.advance(55 * minute)
    await followSilences(alerts)
    await followSilences(alerts)
    const [reminder] = await listAlerts(alerts)
    expect(reminder?.status).toMatchObject({ state: 'active', silencedBy: [] })
    expect((await explain(alerts, reminder?.labels ?? {})).silencedBy).toEqual([])
    expect(await stateOf(alerts, id)).toBe('active')
    const labels = { alertname: 'Disk' }
    await postAlerts(alerts, [{ labels, endsAt: clock.now() + 1_000 }])
    await followSilences(alerts)
    clock.advance(2_000)
    expect(await followSilences(alerts)).toBe(1)
  })

  it.each([
    [
      'extended',
      (alerts: AlertsContext, id: string) => extendSilence(alerts, { silenceId: id, byMs: hour }),
    ],
    ['ended', expireSilence],
  ])('ends when the silence is %s, and fires again before its new end', async (what, change) => {
    const { alerts, clock } = createFixture()
    const id = await createSilence(alerts, reminded)
    clock.advance(55 * minute)
    await followSilences(alerts)
    expect(await firing(alerts)).toEqual(['SilenceEnding 2026-01-02T13:00:00.000Z'])
    await change(alerts, id)
    await followSilences(alerts)
    expect(await firing(alerts)).toEqual([])
    clock.advance(hour)
    await followSilences(alerts)
    const again = what === 'extended' ? ['SilenceEnding 2026-01-02T14:00:00.000Z'] : []
    expect(await firing(alerts)).toEqual(again)
  })
})

it('both are members of a silence over HTTP, and absent where they are not used', async () => {
  const { alerts } = createFixture()
  const serve = fetchHandler(alerts.routes)
  const send = (body: object): Promise<Response> =>
    serve(
      new Request('http://host/api/v2/silences', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...silence,
          startsAt: '2026-01-02T12:00:00Z',
          endsAt: '2026-01-02T13:00:00Z',
          ...body,
        }),
      }),
    )
  await send({ comment: 'plain', untilResolved: false, remindBeforeMs: 0 })
  await send({ comment: 'both', untilResolved: true, remindBeforeMs: 600_000 })
  const listed = await serve(new Request('http://host/api/v2/silences'))
  const [plain, both] = ((await listed.json()) as { comment: string }[]).sort((a, b) =>
    a.comment < b.comment ? 1 : -1,
  )
  expect(Object.keys(plain ?? {})).not.toContain('untilResolved')
  expect(Object.keys(plain ?? {})).not.toContain('remindBeforeMs')
  expect(both).toMatchObject({ untilResolved: true, remindBeforeMs: 600_000 })
  for (const wrong of [{ untilResolved: 'yes' }, { remindBeforeMs: -1 }, { remindBeforeMs: 1.5 }]) {
    expect((await send(wrong)).status).toBe(400)
  }
})
