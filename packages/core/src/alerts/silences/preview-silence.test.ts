import { afterEach, describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertBoard } from '../board/board.ts'
import { createFixture } from '../service.fixture.ts'
import { createHistoryWorld, day, type HistoryWorld, hour } from '../start/start-history.fixture.ts'
import { createRecurringSilence } from './create-recurring-silence.ts'
import { createSilence } from './create-silence.ts'
import { listSilences } from './list-silences.ts'
import { previewSilence } from './preview-silence.ts'

const of = (value: string) => ({ matchers: [{ name: 'alertname', value, isRegex: true }] })

describe('previewSilence', () => {
  let world: HistoryWorld | undefined
  afterEach(() => world?.end())

  it('counts what fires now, and what fired in the last week', async () => {
    world = createHistoryWorld()
    const { alerts, post } = world.start()
    await post('Old', 1_000)
    await world.pass(6_000)
    world.clock.advance(5 * day)
    await post('Disk', 1_000)
    await world.pass(6_000)
    await post('Disk', hour)
    await post('Other', hour)
    await world.pass(6_000)
    expect(await previewSilence(alerts, of('Disk|Old'))).toMatchObject({
      count: 1,
      total: 2,
      alerts: [{ labels: { alertname: 'Disk' } }],
      history: { count: 2 },
    })
    world.clock.advance(3 * day)
    const later = await previewSilence(alerts, of('Disk|Old'))
    const from = new Date(world.clock.now() - 7 * day).toISOString()
    expect(later).toEqual({
      count: 0,
      total: 0,
      silenced: 0,
      alerts: [],
      history: { count: 1, from },
    })
    const { history } = await previewSilence(alerts, { ...of('Disk|Old'), historyMs: 9 * day })
    expect(history?.count).toBe(2)
    expect(await listSilences(alerts)).toEqual([])
  })

  it('lists the first hundred alerts, and says nothing of a history that is not kept', async () => {
    const { alerts } = createFixture({ historyRetentionMs: 0 })
    const many = Array.from({ length: 150 }, (_, i) => ({ labels: { alertname: 'A', i: `${i}` } }))
    await postAlerts(alerts, many)
    const preview = await previewSilence(alerts, of('A'))
    const { count, total, history } = preview
    expect([count, total, preview.alerts.length, history]).toEqual([150, 150, 100, undefined])
  })

  it('lists first what was not chosen, then what is not silenced, and counts both', async () => {
    const { alerts, clock } = createFixture({ historyRetentionMs: 0 })
    const many = Array.from({ length: 150 }, (_, i) => ({ labels: { alertname: 'A', i: `${i}` } }))
    await postAlerts(alerts, many)
    const id = await createSilence(alerts, {
      matchers: [{ name: 'i', value: '.', isRegex: true }],
      endsAt: clock.now() + hour,
      createdBy: 'maya',
      comment: '',
    })
    const fingerprints = (await listAlerts(alerts)).map(({ fingerprint }) => fingerprint)
    const [last = '', ...chosen] = fingerprints.sort().reverse()
    const preview = await previewSilence(alerts, { ...of('A'), chosen: [...chosen, 'gone'] })
    const { count, silenced, unchosen } = preview
    expect([count, silenced, unchosen, preview.alerts[0]?.fingerprint]).toEqual([150, 10, 1, last])
    const states = preview.alerts.slice(1).map(({ status }) => status.silencedBy.length)
    expect(states).toEqual(Array(99).fill(0))
    expect(await previewSilence(alerts, of('A'))).not.toHaveProperty('unchosen')
    // A silence that is changed does not silence its own alerts already.
    expect(await previewSilence(alerts, { ...of('A'), id })).toMatchObject({ silenced: 0 })
  })

  it('does not count what a recurring silence that is changed silences itself', async () => {
    const { alerts, clock } = createFixture({ historyRetentionMs: 0 })
    await postAlerts(alerts, [{ labels: { alertname: 'A' } }, { labels: { alertname: 'B' } }])
    const { id, silenceIds } = await createRecurringSilence(alerts, {
      ...of('A|B'),
      timeIntervals: [{ times: [{ startTime: '11:00', endTime: '14:00' }] }],
      createdBy: 'maya',
      comment: '',
    })
    expect(silenceIds).toHaveLength(2)
    expect(await previewSilence(alerts, of('A|B'))).toMatchObject({ count: 2, silenced: 2 })
    expect(await previewSilence(alerts, { ...of('A|B'), id })).toMatchObject({ silenced: 0 })
    await createSilence(alerts, {
      ...of('B'),
      endsAt: clock.now() + hour,
      createdBy: 'maya',
      comment: '',
    })
    expect(await previewSilence(alerts, { ...of('A|B'), id })).toMatchObject({
      silenced: 1,
      alerts: [{ labels: { alertname: 'A' } }, { labels: { alertname: 'B' } }],
    })
  })

  it('lets other work run while it looks at many alerts', async () => {
    const { alerts } = createFixture({ historyRetentionMs: 0 })
    const many = Array.from({ length: 500 }, (_, i) => ({ labels: { alertname: 'A', i: `${i}` } }))
    await postAlerts(alerts, many)
    let turn = 0
    const turns = new Set<number>()
    const board: AlertBoard = {
      ...alerts.board,
      statusOf(entry, now) {
        turns.add(turn)
        const start = performance.now()
        while (performance.now() - start < 0.1);
        return alerts.board.statusOf(entry, now)
      },
    }
    let isDone = false
    const nextTurn = (): void => {
      turn++
      if (!isDone) setImmediate(nextTurn)
    }
    nextTurn()
    const { count } = await previewSilence({ ...alerts, board }, of('A'))
    isDone = true
    expect(count).toBe(500)
    expect(turns.size).toBeGreaterThan(1)
  })

  it.each([
    [of(''), 'invalid silence: matcher set 0: at least one matcher must not'],
    [of('('), 'invalid silence: invalid label matcher 0 in set 0: invalid regular expression'],
    [{ ...of('a'), historyMs: -1 }, 'request.historyMs: expected'],
    [{ ...of('a'), chosen: [1] }, 'request.chosen[0]: expected'],
    [{ ...of('a'), id: 1 }, 'request.id: expected'],
    [{}, 'request.matchers: '],
  ])('refuses %j, over HTTP too', async (request, message) => {
    const { alerts } = createFixture()
    const refusal = previewSilence(alerts, request as ReturnType<typeof of>)
    await expect(refusal).rejects.toThrow(message)
    const answer = await fetchHandler(alerts.routes)(
      new Request('http://host/gatehouse/v1/silence-preview', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      }),
    )
    const { message: said } = (await answer.json()) as { message: string }
    expect([answer.status, `request.${said}`]).toEqual([400, expect.stringContaining(message)])
  })

  it('refuses an empty list of matchers', async () => {
    await expect(previewSilence(createFixture().alerts, { matchers: [] })).rejects.toThrow(
      'invalid silence: matcher set 0: at least one matcher must not',
    )
  })
})
