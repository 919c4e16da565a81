import { expect, it } from 'vitest'
import { fetchHandler } from '../http/fetch-handler.ts'
import type { Storage } from '../storage/storage.ts'
import { storageUnavailable } from '../storage/storage.ts'
import { postAlerts } from './alerts/post-alerts.ts'
import type { AlertsContext } from './context.ts'
import { updateAlertsConfig } from './running-config/update-alerts-config.ts'
import { createCluster, createSwitch, settled } from './start/start-heartbeat.fixture.ts'

/** Requests a path of the service, as an adapter would. */
const get = ({ routes }: AlertsContext, path: string): Promise<Response> =>
  fetchHandler(routes)(new Request(`http://host${path}`))

const statusText = async (alerts: AlertsContext): Promise<string> =>
  (await get(alerts, '/api/v2/status')).text()

/** The samples of metrics whose names have this prefix. */
async function samples(alerts: AlertsContext, start: string): Promise<string[]> {
  const lines = (await (await get(alerts, '/metrics')).text()).split('\n')
  return lines.filter((line) => line.startsWith(start))
}

it('/status lists the current peers', async () => {
  const { process } = createCluster()
  const [a, b] = [process('a'), process('b<')]
  const rest = (await statusText(a.alerts)).replace(/^{"cluster":{[^}]*}\]?[^}]*},/, '')
  expect(rest).toMatch(/^"config":{"original":"/)

  const own = '{"address":"a:9094","name":"a"}'
  const other = '{"address":"b\\u003c:9094","name":"b\\u003c"}'
  const bodyOf = (peers: readonly string[], status: string): string =>
    `{"cluster":{"name":"a","peers":[${peers.join()}],"status":"${status}"},${rest}`
  expect(await statusText(a.alerts)).toBe(bodyOf([own], 'settling'))
  a.start()
  await settled()
  expect(await statusText(a.alerts)).toBe(bodyOf([own], 'ready'))
  const running = b.start()
  await settled()
  expect(await statusText(a.alerts)).toBe(bodyOf([own, other], 'ready'))
  await running.stop()
  expect(await statusText(a.alerts)).toBe(bodyOf([own], 'ready'))
})

it('/status follows changes of both the configuration and the peers', async () => {
  const { process } = createCluster()
  const [a, b] = [process('a'), process('b')]
  a.start()
  await settled()
  expect(await statusText(a.alerts)).not.toContain('receiver: other')
  updateAlertsConfig(a.alerts, 'route: { receiver: other }\nreceivers: [ { name: other } ]\n')
  expect(await statusText(a.alerts)).toContain('receiver: other')
  b.start()
  await settled()
  const text = await statusText(a.alerts)
  expect(text).toContain('"name":"b"')
  expect(text).toContain('receiver: other')
})

it('/status reads only changes from the storage', async () => {
  const { process, storage, pass } = createCluster()
  const asked = new Set<string>()
  const watched = new Proxy(storage, {
    get(target, name: keyof Storage) {
      asked.add(name)
      return target[name]
    },
  })
  const [a, b] = [process('a', { storage: watched }), process('b')]
  b.start()
  await statusText(a.alerts)
  await pass(7_000)
  asked.clear()
  expect(await statusText(a.alerts)).toContain('"name":"b"')
  expect([...asked]).toEqual(['changes'])
})

it('/status is 503 while the storage is unavailable, and recovers afterwards', async () => {
  const { process, storage, pass } = createCluster()
  const away = createSwitch(storage)
  away.failure = storageUnavailable('the database is away')
  const a = process('a', { storage: away.storage })
  a.start()
  await settled()
  away.failing = 'everything'
  const answer = await get(a.alerts, '/api/v2/status')
  expect([answer.status, await answer.text()]).toEqual([503, '"the database is away"\n'])
  await pass(60_000)
  expect((await get(a.alerts, '/api/v2/status')).status).toBe(503)
  away.failing = 'nothing'
  await pass(5_000)
  expect(await statusText(a.alerts)).toContain('"status":"ready"')
})

it('the metrics show the last known values while the storage is unavailable', async () => {
  const { process, storage } = createCluster()
  const away = createSwitch(storage)
  away.failure = storageUnavailable('the database is away')
  const { alerts } = process('a', { storage: away.storage })
  await postAlerts(alerts, [{ labels: { alertname: 'DiskFull' } }])
  const firing = 'alertmanager_alerts{state="active"}'
  expect(await samples(alerts, firing)).toEqual([`${firing} 1`])
  away.failing = 'everything'
  expect(await samples(alerts, firing)).toEqual([`${firing} 1`])
})

it('the metrics count the peers that joined and left', async () => {
  const { process, pass } = createCluster()
  const [a, b, c] = [process('a'), process('b'), process('c')]
  const name = 'alertmanager_cluster_'
  expect(await samples(a.alerts, name)).toEqual([
    `${name}enabled 1`,
    `${name}members 1`,
    `${name}peer_info{peer="a"} 1`,
    `${name}peers_joined_total 0`,
    `${name}peers_left_total 0`,
  ])
  a.start()
  const running = b.start()
  c.start()
  await pass(5_000)
  expect(await samples(a.alerts, `${name}members`)).toEqual([`${name}members 3`])
  expect(await samples(a.alerts, `${name}peers_`)).toEqual([
    `${name}peers_joined_total 3`,
    `${name}peers_left_total 0`,
  ])
  await running.stop()
  c.crash()
  await pass(25_000)
  expect(await samples(a.alerts, `${name}members`)).toEqual([`${name}members 1`])
  expect(await samples(a.alerts, `${name}peers_left`)).toEqual([`${name}peers_left_total 2`])
})

it('the metrics count the members with a live heartbeat without reading the storage', async () => {
  const { process, storage, pass } = createCluster()
  const away = createSwitch(storage)
  const [a, b] = [process('a', { storage: away.storage }), process('b')]
  a.start()
  b.start()
  await pass(5_000)
  const members = 'alertmanager_cluster_members'
  expect(await samples(a.alerts, members)).toEqual([`${members} 2`])
  away.failing = 'everything'
  await pass(20_000)
  away.failing = 'nothing'
  expect(await samples(a.alerts, members)).toEqual([`${members} 1`])
  await pass(5_000)
  expect(await samples(a.alerts, members)).toEqual([`${members} 2`])
})
