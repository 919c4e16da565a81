import { afterEach, describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { createFixture } from '../service.fixture.ts'
import {
  createHistoryWorld,
  type HistoryWorld,
  hour,
  minute,
} from '../start/start-history.fixture.ts'
import { createSilence } from './create-silence.ts'
import { expireSilence } from './expire-silence.ts'
import { listAffectedAlerts } from './list-affected-alerts.ts'

describe('listAffectedAlerts', () => {
  let world: HistoryWorld | undefined
  afterEach(() => world?.end())

  it('lists what fired while the silence held, also if it began before or is over by now', async () => {
    world = createHistoryWorld()
    const { alerts, post } = world.start()
    await post('Over', minute)
    await post('Long', 3 * minute)
    await world.pass(2 * minute)
    const id = await createSilence(alerts, {
      matchers: [{ name: 'alertname', value: 'Over|Long|During|After', isRegex: true }],
      startsAt: world.clock.now(),
      endsAt: world.clock.now() + hour,
      createdBy: 'maya',
      comment: '',
    })
    const names = async (): Promise<readonly (string | undefined)[]> =>
      (await listAffectedAlerts(alerts, id)).items.map(({ labels }) => labels.alertname).sort()
    await world.pass(6_000)
    expect(await names()).toEqual(['Long'])
    await post('During', minute)
    await post('Other', minute)
    await world.pass(5 * minute)
    expect(await names()).toEqual(['During', 'Long'])
    await expireSilence(alerts, id)
    await world.pass(1_000)
    await post('After', minute)
    await world.pass(6_000)
    expect(await names()).toEqual(['During', 'Long'])
    const answer = await fetchHandler(alerts.routes)(
      new Request(`http://host/gatehouse/v1/affected-alerts?silenceId=${id}`),
    )
    expect(await answer.json()).toEqual({
      ...(await listAffectedAlerts(alerts, id)),
      total: 2,
      isWhole: true,
    })
  })

  it('knows what fires now without a history, and that this is not all', async () => {
    const { alerts, clock } = createFixture({ historyRetentionMs: 0 })
    const id = await createSilence(alerts, {
      matchers: [{ name: 'a', value: 'b', isRegex: false }],
      endsAt: clock.now() + hour,
      createdBy: 'maya',
      comment: '',
    })
    expect(await listAffectedAlerts(alerts, id)).toEqual({ items: [], total: 0, isWhole: false })
  })

  it('refuses an unknown silence', async () => {
    const { alerts } = createFixture()
    const listed = listAffectedAlerts(alerts, 'none')
    await expect(listed).rejects.toMatchObject({ reason: 'SilenceNotFound' })
    const serve = fetchHandler(alerts.routes)
    for (const [query, status] of [
      ['?silenceId=none', 404],
      ['', 400],
    ] as const) {
      const answer = await serve(new Request(`http://host/gatehouse/v1/affected-alerts${query}`))
      expect(answer.status).toBe(status)
    }
  })
})
