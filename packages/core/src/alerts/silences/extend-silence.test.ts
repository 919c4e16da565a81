import { describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import type { AlertsContext } from '../context.ts'
import { createFixture } from '../service.fixture.ts'
import { createSilence } from './create-silence.ts'
import { expireSilence } from './expire-silence.ts'
import { extendSilence } from './extend-silence.ts'
import { getSilence } from './get-silence.ts'

const hour = 3_600_000
const noon = Date.UTC(2026, 0, 2, 12)

const create = (alerts: AlertsContext): Promise<string> =>
  createSilence(alerts, {
    matchers: [{ name: 'team', value: 'db', isRegex: false }],
    startsAt: noon,
    endsAt: noon + hour,
    createdBy: 'maya',
    comment: 'a new disk',
  })

describe('extendSilence', () => {
  it('moves the end and nothing else', async () => {
    const { alerts } = createFixture()
    const id = await create(alerts)
    const before = await getSilence(alerts, id)
    const after = await extendSilence(alerts, { silenceId: id, endsAt: noon + 3 * hour })
    expect(after).toEqual({ ...before, endsAt: '2026-01-02T15:00:00.000Z' })
    expect(await getSilence(alerts, id)).toEqual(after)
  })

  it('adds what each of two users asks for at once', async () => {
    const { alerts } = createFixture()
    const id = await create(alerts)
    await Promise.all([1, 2].map(() => extendSilence(alerts, { silenceId: id, byMs: hour })))
    expect(await getSilence(alerts, id)).toMatchObject({ endsAt: '2026-01-02T15:00:00.000Z' })
  })

  it.each([
    [{}, 'either endsAt or byMs must be given'],
    [{ endsAt: noon + 2 * hour, byMs: hour }, 'either endsAt or byMs must be given'],
    [{ endsAt: noon + hour }, 'the new end must be later than the end it has'],
    [{ byMs: 8e15 }, 'the new end must be in the years 1 to 9999'],
  ])('refuses %j', async (extension, message) => {
    const { alerts } = createFixture()
    const id = await create(alerts)
    const extended = extendSilence(alerts, { silenceId: id, ...extension })
    await expect(extended).rejects.toMatchObject({ reason: 'InvalidSilence', message })
    expect(await getSilence(alerts, id)).toMatchObject({ endsAt: '2026-01-02T13:00:00.000Z' })
  })

  it('does not wake a silence that has expired', async () => {
    const { alerts, clock } = createFixture()
    const [ended, expired] = [await create(alerts), await create(alerts)]
    await expireSilence(alerts, expired)
    clock.advance(hour)
    for (const id of [ended, expired]) {
      await expect(extendSilence(alerts, { silenceId: id, byMs: hour })).rejects.toMatchObject({
        message: 'the silence has expired: create a new one',
      })
    }
    await expect(extendSilence(alerts, { silenceId: 'none', byMs: 1 })).rejects.toMatchObject({
      reason: 'SilenceNotFound',
    })
  })

  it('answers over HTTP', async () => {
    const { alerts } = createFixture()
    const id = await create(alerts)
    const serve = fetchHandler(alerts.routes)
    const post = (body: object): Promise<Response> =>
      serve(
        new Request('http://host/gatehouse/v1/silence-extensions', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    const extended = await post({ silenceId: id, byMs: hour })
    expect([extended.status, await extended.json()]).toEqual([200, await getSilence(alerts, id)])
    expect((await post({ silenceId: 'none', byMs: 1 })).status).toBe(404)
    expect((await post({ silenceId: id, byMs: -1 })).status).toBe(400)
  })
})
