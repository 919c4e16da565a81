import { createAlertsClient, createWebhooksClient } from '@gatehouse/client'
import {
  createAlerts,
  createWebhooks,
  fetchHandler,
  listAlerts,
  listRuns,
  listSilences,
} from '@gatehouse/core'
import { createManualClock } from '@gatehouse/core/testing'
import { closeWebhooks } from '@gatehouse/core/webhook'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it } from 'vitest'
import { openInbox } from './inbox.ts'
import { jobsBetween, startJobs } from './jobs.ts'
import { feed, firingAt, silenceStaging } from './shop.ts'
import { sendStorm, stormAt } from './storm.ts'

const noon = Date.UTC(2026, 0, 2, 12)
const minute = 60_000

it('the shop has troubles at every time, and they come and go', () => {
  const hours = Array.from({ length: 240 }, (_, i) => firingAt(noon + i * minute))
  expect(Math.min(...hours.map((all) => all.length))).toBeGreaterThan(0)
  const names = hours.map((all) => all.map(({ labels }) => labels.alertname).join())
  expect(new Set(names).size).toBeGreaterThan(10)
  for (const alert of hours.flat())
    expect(Date.parse(alert.startsAt)).toBeLessThanOrEqual(noon + 240 * minute)
})

it('feeding a server lets alerts fire and resolve, and silences staging once', async () => {
  const clock = createManualClock(noon)
  const alerts = createAlerts({
    storage: createMemoryStorage({ clock }),
    clock,
    config: { route: { receiver: 'a' }, receivers: [{ name: 'a' }] },
  })
  const serve = fetchHandler(alerts.routes)
  const server = createAlertsClient({
    url: 'http://127.0.0.1',
    fetch: (url, init) => serve(new Request(url, init)),
  })
  const namesOf = (list: readonly { labels: Readonly<Record<string, string>> }[]): string[] =>
    list.map(({ labels }) => `${labels.alertname} ${labels.severity}`).sort()
  let before = noon
  for (let i = 0; i < 40; i++) {
    await feed(server, clock.now(), before)
    await silenceStaging(server, clock.now())
    expect(namesOf(await listAlerts(alerts))).toEqual(namesOf(firingAt(clock.now())))
    before = clock.now()
    clock.advance(minute)
  }
  expect(await listSilences(alerts)).toMatchObject([{ createdBy: 'maya' }])
})

it('the inbox shows the last notifications', async () => {
  const inbox = await openInbox(0)
  const url = `http://127.0.0.1:${inbox.port}/on-call`
  expect(await (await fetch(url)).text()).toBe('No notification yet.\n')
  const notified = {
    status: 'firing',
    labels: { alertname: 'A' },
    annotations: { summary: 'too much' },
  }
  await fetch(url, { method: 'POST', body: JSON.stringify({ alerts: [notified] }) })
  await fetch(url, { method: 'POST', body: 'nonsense' })
  expect((await fetch(url, { method: 'POST', body: 'x'.repeat(1_500_000) })).status).toBe(413)
  const text = await (await fetch(url)).text()
  expect(text).toMatch(/ \/on-call\n {2}not the body.+ \/on-call\n {2}firing A: too much\n$/s)
  inbox.close()
})

it('jobs of the shop come again and again, and some deployments fail', () => {
  const rounds = Array.from({ length: 240 }, (_, i) => noon + i * 5_000)
  const due = rounds.flatMap((now) => jobsBetween(now - 5_000, now))
  expect(new Set(due.map(({ id }) => id))).toEqual(new Set(['deploy', 'import-prices', 'backup']))
  expect(due.length).toBeLessThan(50)
  expect(due.filter(({ data }) => JSON.stringify(data).includes('-broken')).length).toBeGreaterThan(
    1,
  )
  expect(jobsBetween(noon, noon)).toEqual([])
})

it('feeding a server runs the webhooks that it has', async () => {
  const webhooks = createWebhooks({
    storage: createMemoryStorage(),
    config: {
      webhooks: [{ id: 'import-prices', token: 't', execute_command: 'true', workdir: '/' }],
    },
  })
  const serve = fetchHandler(webhooks.routes)
  const clientWith = (token: string) =>
    createWebhooksClient({
      url: 'http://127.0.0.1',
      token,
      fetch: (url, init) => serve(new Request(url, init)),
    })
  await startJobs(clientWith('wrong'), noon, noon - 10 * minute)
  expect((await listRuns(webhooks)).runs).toEqual([])
  await startJobs(clientWith('t'), noon, noon - 10 * minute)
  expect((await listRuns(webhooks)).runs.map(({ webhook_id: id }) => id)).toEqual(['import-prices'])
  await closeWebhooks(webhooks, { graceMs: 0 })
})

it('a storm has 10,000 alerts of ten kinds, each with labels of its own', () => {
  const alerts = stormAt(noon)
  expect(new Set(alerts.map(({ labels }) => JSON.stringify(labels))).size).toBe(10_000)
  expect(new Set(alerts.map(({ labels }) => labels.alertname)).size).toBe(10)
  const severities = alerts.map(({ labels }) => labels.severity)
  expect(severities.filter((severity) => severity === 'critical')).toHaveLength(1_841)
  for (const { startsAt, labels } of alerts) {
    expect(Date.parse(startsAt)).toBeLessThan(noon)
    expect(Object.values(labels)).not.toContain('')
    expect(labels.service).toBeDefined()
  }
  expect(stormAt(noon + minute).map(({ labels }) => labels)).toEqual(
    alerts.map(({ labels }) => labels),
  )
})

it('a storm fires, is ended again, and goes by itself after two hours', async () => {
  const clock = createManualClock(noon)
  const alerts = createAlerts({
    storage: createMemoryStorage({ clock }),
    clock,
    config: { route: { receiver: 'a' }, receivers: [{ name: 'a' }] },
  })
  const serve = fetchHandler(alerts.routes)
  const bodies: number[] = []
  const server = createAlertsClient({
    url: 'http://127.0.0.1',
    fetch: (url, init) => {
      bodies.push(String(init?.body).length)
      return serve(new Request(url, init))
    },
  })
  const heard: number[] = []
  const send = (resolve: boolean) =>
    sendStorm(server, {
      now: clock.now(),
      resolve,
      onProgress: (sent) => void heard.push(sent),
    })
  const count = async () => (await listAlerts(alerts, { filter: ['cluster="storm"'] })).length
  expect(await send(false)).toBe(10_000)
  expect(await count()).toBe(10_000)
  expect([heard.length, heard.at(-1)]).toEqual([20, 10_000])
  expect(Math.max(...bodies)).toBeLessThan(400_000)
  clock.advance(minute)
  await send(true)
  expect(await count()).toBe(0)
  await send(false)
  clock.advance(121 * minute)
  expect(await count()).toBe(0)
})
