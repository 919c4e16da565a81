import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it, vi } from 'vitest'
import { createManualClock } from '../testing/index.ts'
import { systemClock } from '../time/clock.ts'
import { labelSetFromObject } from './alert/label-set.ts'
import { listAlertGroups } from './alerts/list-alert-groups.ts'
import { listAlerts } from './alerts/list-alerts.ts'
import { postAlerts } from './alerts/post-alerts.ts'
import { createAlerts } from './create-alerts.ts'
import { suppress } from './dispatch/deliver/suppression.ts'
import { silenceCollection } from './silence/silence.ts'
import { createSilence } from './silences/create-silence.ts'
import { listSilences } from './silences/list-silences.ts'

const config = 'route:\n  receiver: x\n  group_by: [n]\nreceivers:\n  - name: x\n'

function createWorld() {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  return { clock, storage, alerts: createAlerts({ storage, clock, config }) }
}

const listOf = <T>(length: number, of: (i: number) => T): T[] =>
  Array.from({ length }, (_, i) => of(i))
const alertsNamed = (count: number) =>
  listOf(count, (i) => ({ labels: { n: `${i % 50}`, x: `yN${i}` } }))
const costly = (i: number) => `(y|N|n${i}){1,50}.*`

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Returns how often the work checked whether its slice is over, and verifies that it let other work run each time. Slices are
 * bounded in time. To be independent of the speed of the machine, each check takes a millisecond and the eleventh ends a slice.
 */
async function looksDuring(work: () => Promise<unknown>): Promise<number> {
  let ms = 0
  const clock = vi.spyOn(systemClock, 'monotonic').mockImplementation(() => ++ms)
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  try {
    await work()
  } finally {
    isOver = true
    // The slice of this turn ends by this clock.
    await nextTurn()
    clock.mockRestore()
  }
  expect(turns).toBeGreaterThanOrEqual(Math.floor(ms / 11))
  return ms
}

it('a hundred expensive filters yield to other work, in every list', async () => {
  const { alerts } = createWorld()
  await postAlerts(alerts, alertsNamed(1_000))
  const filter = listOf(100, (i) => `x=~"${costly(i)}"`)
  for (const list of [listAlerts, listAlertGroups]) {
    let found = 0
    const looks = await looksDuring(async () => {
      found = (await list(alerts, { filter })).length
    })
    expect(found).toBe(list === listAlerts ? 1_000 : 50)
    expect(looks).toBeGreaterThanOrEqual(100 * 1_000)
  }
})

it('a request with twenty thousand alerts yields to other work, and so does the first list of them', async () => {
  const { alerts } = createWorld()
  const posted = alertsNamed(20_000)
  expect(await looksDuring(() => postAlerts(alerts, posted))).toBeGreaterThan(15)
  let listed = 0
  const looks = await looksDuring(async () => {
    listed = (await listAlerts(alerts)).length
  })
  expect(listed).toBe(20_000)
  expect(looks).toBeGreaterThan(15)
})

/** Stores a silence that is larger than any request may post. */
async function storeCostlySilence({ storage, clock }: ReturnType<typeof createWorld>) {
  const now = clock.now()
  const matchers = listOf(500, (i) => ({
    name: 'x',
    value: costly(i),
    isRegex: true,
    isEqual: true,
  }))
  const times = { startsAt: now, endsAt: now + 3_600_000, updatedAt: now }
  const silence = { matchers, ...times, createdBy: 'me', comment: '' }
  await storage.commit([silenceCollection.write('s', silence)])
}

it('stored silences beyond every limit are read, and yield to other work', async () => {
  const world = createWorld()
  const { alerts } = world
  await storeCostlySilence(world)
  await postAlerts(alerts, alertsNamed(4))
  let listed: Awaited<ReturnType<typeof listAlerts>> = []
  const looks = await looksDuring(async () => {
    listed = await listAlerts(alerts)
  })
  expect(listed.map(({ status }) => status.silencedBy)).toEqual(listOf(4, () => ['s']))
  expect(looks).toBeGreaterThanOrEqual(4 * 500)
  expect(await listSilences(alerts)).toHaveLength(1)
})

it('matching such a silence with the alerts of a notification runs in slices', async () => {
  const world = createWorld()
  await storeCostlySilence(world)
  const { board } = world.alerts
  const now = await board.refresh()
  const group = listOf(4, (i) => ({ labels: labelSetFromObject({ n: '0', x: `yN${i}` }) }))
  const steps = suppress(group, { board, route: board.routingTree.root, timeIntervals: [], now })
  let count = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) count++
  expect(step.value.silenced).toEqual(group)
  expect(count).toBeGreaterThan(4 * 100)
})

it('a reader that arrives while the board is computed sees it complete', async () => {
  const { alerts, clock } = createWorld()
  const now = clock.now()
  const matchers = [{ name: 'x', value: '(y|N)+.*', isRegex: true }]
  const posted = { startsAt: now, endsAt: now + 3_600_000, createdBy: 'me', comment: '' }
  const seen: Promise<readonly number[]>[] = []
  const look = async (): Promise<readonly number[]> => {
    const listed = await listAlerts(alerts)
    return [listed.length, listed.filter(({ status }) => status.silencedBy.length > 0).length]
  }
  await createSilence(alerts, { ...posted, matchers })
  for (const part of [0, 1, 2]) {
    const some = alertsNamed(9_000).slice(part * 3_000, (part + 1) * 3_000)
    await postAlerts(alerts, some)
    seen.push(look(), look())
  }
  for (const [listed, silenced] of await Promise.all(seen)) expect(silenced).toBe(listed)
  expect(await look()).toEqual([9_000, 9_000])
})

it('an invalid expression in a stored silence matches nothing', async () => {
  const { alerts, storage, clock } = createWorld()
  const now = clock.now()
  const matchers = [{ name: 'x', value: '(', isRegex: true, isEqual: true }]
  const times = { startsAt: now, endsAt: now + 3_600_000, updatedAt: now }
  await storage.commit([
    silenceCollection.write('s', { matchers, ...times, createdBy: 'me', comment: '' }),
  ])
  await postAlerts(alerts, alertsNamed(1))
  const [alert] = await listAlerts(alerts)
  expect(alert?.status.silencedBy).toEqual([])
})
