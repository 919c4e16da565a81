import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../storage/storage.ts'
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts'
import { postAlerts } from './alerts/post-alerts.ts'
import type { AlertsContext } from './context.ts'
import { type AlertsOptions, createAlerts } from './create-alerts.ts'
import { updateAlertsConfig } from './running-config/update-alerts-config.ts'
import { config } from './service.fixture.ts'
import { createSilence } from './silences/create-silence.ts'
import { expireSilence } from './silences/expire-silence.ts'
import { closeAlerts } from './start/close-alerts.ts'
import { startHistory } from './start/start-history.ts'
import { type AlertsChange, type ChangesQuery, watchChanges } from './watch-changes.ts'

const minute = 60_000

/** Processes over one storage, with one clock. */
function createWorld() {
  const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  const storage = createMemoryStorage({ clock })
  const start = (options: Partial<AlertsOptions> = {}): AlertsContext =>
    createAlerts({ storage, clock, config, ...options })
  return { clock, storage, start }
}

/** Follows changes. */
async function follow(alerts: AlertsContext, clock: ManualClock, query?: ChangesQuery) {
  const changes = watchChanges(alerts, query)
  let position: string | undefined
  const next = async (): Promise<AlertsChange | undefined> => {
    const { value } = await changes.next()
    position = value?.position ?? position
    return value
  }
  const first = await next()
  /** The next changes in short, once the hub has looked. */
  const read = async (count: number): Promise<string[]> => {
    const lines: string[] = []
    const looking = setInterval(() => clock.advance(50), 1)
    try {
      while (lines.length < count) lines.push(brief(await next()))
    } finally {
      clearInterval(looking)
    }
    return lines
  }
  return { first, read, next, end: () => changes.return(undefined), position: () => position }
}

function brief(change: AlertsChange | undefined): string {
  switch (change?.type) {
    case 'alert': {
      const { labels, status, annotations } = change.data
      return ['alert', labels.alertname, status.state, annotations.summary ?? ''].join(' ').trim()
    }
    case 'alert-group': {
      const { labels, receiver, counts, mutedBy } = change.data
      const group = `${receiver.name} ${labels.alertname} ${counts.active}/${counts.all}`
      return ['group', group, ...mutedBy].join(' ')
    }
    case 'silence':
      return `silence ${change.data.comment} ${change.data.status.state}`
    case 'alert-history':
      return `history ${change.data.event} ${change.data.labels.alertname}`
    case 'silence-history':
      return `history ${change.data.event} silence`
    default:
      return change?.type ?? 'nothing'
  }
}

const post = (
  alerts: AlertsContext,
  name: string,
  { summary = '', severity = '', team = 'x', firesFor = 5 * minute } = {},
): Promise<void> =>
  postAlerts(alerts, [
    {
      labels: { alertname: name, team, ...(severity === '' ? {} : { severity }) },
      annotations: summary === '' ? {} : { summary },
      startsAt: Date.UTC(2026, 0, 2, 11),
      endsAt: alerts.clock.now() + firesFor,
    },
  ])

const silence = (alerts: AlertsContext, comment: string, startsInMs = 0): Promise<string> => {
  const startsAt = alerts.clock.now() + startsInMs
  const matchers = [{ name: 'alertname', value: 'a', isRegex: false }]
  return createSilence(alerts, {
    ...{ matchers, startsAt, comment },
    endsAt: startsAt + minute,
    createdBy: 'lena',
  })
}

describe('watching changes', () => {
  it('begins with an event that tells to read the lists', async () => {
    const { clock, start } = createWorld()
    const alerts = start()
    await post(alerts, 'old')
    const { first, read } = await follow(alerts, clock, { types: ['alerts'] })
    expect(first).toMatchObject({ type: 'ready', data: { resumed: false } })
    await post(alerts, 'a')
    expect(await read(1)).toEqual(['alert a active'])
  })

  it('shows how alerts and their groups begin, change and end', async () => {
    const { clock, start } = createWorld()
    const alerts = start()
    const { read } = await follow(alerts, clock)
    await post(alerts, 'a')
    expect(await read(2)).toEqual(['alert a active', 'group default a 1/1'])
    await post(alerts, 'a', { summary: 'worse' })
    expect(await read(1)).toEqual(['alert a active worse'])
    await post(alerts, 'a', { team: 'y' })
    expect(await read(2)).toEqual(['alert a active', 'group default a 2/2'])
    await post(alerts, 'a', { team: 'y', firesFor: 0 })
    expect(await read(2)).toEqual(['alert-removed', 'group default a 1/1'])
    clock.advance(5 * minute)
    expect(await read(2)).toEqual(['alert-removed', 'alert-group-removed'])
  })

  it('does not show an alert that was only posted again', async () => {
    const { clock, start } = createWorld()
    const alerts = start()
    const { read } = await follow(alerts, clock, { types: ['alerts'] })
    await post(alerts, 'a')
    await read(1)
    await post(alerts, 'a', { firesFor: 7 * minute })
    await post(alerts, 'b')
    expect(await read(1)).toEqual(['alert b active'])
  })

  it('shows silences, what they suppress, and what the time does to them', async () => {
    const { clock, start } = createWorld()
    const alerts = start()
    await post(alerts, 'a')
    const { read } = await follow(alerts, clock)
    await silence(alerts, 'later', minute)
    expect(await read(1)).toEqual(['silence later pending'])
    clock.advance(minute)
    const shown = ['silence later active', 'alert a suppressed', 'group default a 0/1']
    expect(await read(3)).toEqual(shown)
    clock.advance(minute)
    expect(await read(3)).toEqual([
      'silence later expired',
      'alert a active',
      'group default a 1/1',
    ])
  })

  it('shows inhibition, muted groups, and another configuration', async () => {
    const { clock, start } = createWorld()
    const alerts = start()
    const { read } = await follow(alerts, clock)
    await post(alerts, 'a', { severity: 'warning', team: 'night', firesFor: 24 * 60 * minute })
    expect(await read(2)).toEqual(['alert a active', 'group night a 0/1 day'])
    await post(alerts, 'a', { severity: 'critical', firesFor: 2 * minute })
    const inhibited = ['alert a active', 'alert a suppressed', 'group default a 1/1']
    expect((await read(3)).sort()).toEqual(inhibited)
    clock.advance(8 * 60 * minute)
    expect((await read(4)).sort()).toEqual([
      'alert a active',
      'alert-group-removed',
      'alert-removed',
      'group night a 1/1',
    ])
    updateAlertsConfig(alerts, 'route: { receiver: one }\nreceivers: [ { name: one } ]')
    expect((await read(3)).sort()).toEqual([
      'alert a active',
      'alert-group-removed',
      'group one undefined 1/1',
    ])
  })

  it('shows the records of the history', async () => {
    const { clock, start } = createWorld()
    const alerts = start()
    const history = startHistory(alerts)
    await post(alerts, 'before')
    await history.flush()
    const types = ['alert-history', 'silence-history'] as const
    const { read, position } = await follow(alerts, clock, { types })
    await post(alerts, 'a')
    await silence(alerts, 'now')
    await history.flush()
    expect(await read(2)).toEqual(['history firing a', 'history created silence'])
    await post(alerts, 'b')
    await history.flush()
    const { read: readAgain } = await follow(alerts, clock, { types, since: position() })
    // Some are repeated: their processes may have written them late.
    expect(await readAgain(4)).toContain('history firing b')
    await history.stop()
  })

  it('shows only wanted lists, and alerts that match', async () => {
    const { clock, start } = createWorld()
    const alerts = start()
    const { read } = await follow(alerts, clock, { filter: ['alertname=~"b|c"'] })
    const { read: readSilences } = await follow(alerts, clock, { types: ['silences'] })
    await post(alerts, 'a')
    await post(alerts, 'b')
    expect(await read(2)).toEqual(['alert b active', 'group default b 1/1'])
    await silence(alerts, 'now')
    expect(await read(1)).toEqual(['silence now active'])
    expect(await readSilences(1)).toEqual(['silence now active'])
  })

  it('shows what another process stored', async () => {
    const { clock, start } = createWorld()
    const [one, two] = [start(), start()]
    const { read } = await follow(one, clock, { types: ['silences'] })
    const id = await silence(two, 'now')
    expect(await read(1)).toEqual(['silence now active'])
    await expireSilence(two, id)
    expect(await read(1)).toEqual(['silence now expired'])
  })

  it('resumes in another process with all that was missed', async () => {
    const { clock, start } = createWorld()
    const [one, two] = [start(), start()]
    await post(one, 'a')
    await post(one, 'brief', { firesFor: 2 * minute })
    await post(one, 'stays')
    const { read, end, position } = await follow(one, clock)
    await silence(one, 'first')
    await read(3)
    await end()
    await post(two, 'b')
    await silence(two, 'next', 1_000)
    clock.advance(2 * minute)
    const again = await follow(two, clock, { since: position() })
    expect(again.first).toMatchObject({ type: 'ready', data: { resumed: true } })
    expect((await again.read(8)).sort()).toEqual([
      'alert a active',
      'alert b active',
      'alert-group-removed',
      'alert-removed',
      'group default a 1/1',
      'group default b 1/1',
      'silence first expired',
      'silence next expired',
    ])
    await post(one, 'c')
    expect(await again.read(1)).toEqual(['alert c active'])
  })

  it.each([
    ['unreadable', () => 'x'],
    ['of another configuration', (position: string) => position.replace(/^.{8}/, '00000000')],
    ['of another storage', (position: string) => position.replace(/\.\w+/, '.zzzz')],
  ])('tells to read the lists if the position is %s', async (_, change) => {
    const { clock, start } = createWorld()
    const alerts = start()
    await post(alerts, 'a')
    const { position } = await follow(alerts, clock)
    const { first } = await follow(alerts, clock, { since: change(position() ?? '') })
    expect(first).toMatchObject({ type: 'ready', data: { resumed: false } })
  })

  it('tells to read the lists if very much was missed', async () => {
    const { clock, start } = createWorld()
    const alerts = start()
    const { position } = await follow(alerts, clock)
    const labels = Array.from({ length: 2_001 }, (_, index) => ({ alertname: `a${index}` }))
    await postAlerts(
      alerts,
      labels.map((one) => ({ labels: one })),
    )
    const { first } = await follow(alerts, clock, { since: position() })
    expect(first).toMatchObject({ type: 'ready', data: { resumed: false } })
  })

  it('refuses queries that are not valid, and too many listeners', async () => {
    const { start } = createWorld()
    const alerts = start({ maxChangeListeners: 0, historyRetentionMs: 0 })
    const reasonOf = (query: unknown) =>
      watchChanges(alerts, query as ChangesQuery)
        .next()
        .catch(({ reason }) => reason)
    expect(await reasonOf({ types: ['x'] })).toBe('InvalidInput')
    expect(await reasonOf({ types: ['notifications'] })).toBe('InvalidChangesQuery')
    expect(await reasonOf({ filter: ['{'] })).toBe('InvalidMatcher')
    expect(await reasonOf({})).toBe('TooManyListeners')
  })

  it('ends when the service closes', async () => {
    const { clock, start } = createWorld()
    const alerts = start()
    const { next } = await follow(alerts, clock)
    await closeAlerts(alerts)
    expect(await next()).toMatchObject({ type: 'end', data: { reason: 'closing' } })
    expect(await next()).toBeUndefined()
  })

  it('reads nothing from the storage while nobody listens', async () => {
    const { clock, start, storage } = createWorld()
    let reads = 0
    const counting: Storage = {
      ...storage,
      changes: (...given) => {
        reads++
        return storage.changes(...given)
      },
    }
    const alerts = start({ storage: counting })
    const { end } = await follow(alerts, clock)
    await end()
    reads = 0
    const timers = clock.pendingTimers
    clock.advance(minute)
    await new Promise((resolve) => setImmediate(resolve))
    expect([reads, timers]).toEqual([0, 0])
  })
})
