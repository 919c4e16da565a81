import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alertmanagerBinary, describeWith } from '../../../test-support/binaries.ts'
import { runCli, runHere } from '../src/main.fixture.ts'
import { until } from './support/poll.ts'
import {
  type Server,
  startAlertmanager,
  startGatehouse,
  temporaryFolder,
} from './support/server.ts'
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts'

describeWith([alertmanagerBinary], 'Gatehouse after an Alertmanager', () => {
  let folder: string
  let receiver: WebhookReceiver
  beforeAll(async () => {
    folder = await temporaryFolder()
    receiver = await startWebhookReceiver()
  })
  afterAll(async () => {
    await receiver?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const post = async ({ url }: Server, path: string, body: object): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}/api/v2/${path}`, request)
    expect([response.status, await response.text()]).toEqual([200, expect.anything()])
  }
  const told = (): readonly string[] =>
    receiver.received.flatMap(({ body }) => body.alerts.map(({ labels }) => labels.alertname ?? ''))
  const untilTold = (names: readonly string[]) =>
    until(`${names.join(', ')} were notified`, async () =>
      names.every((name) => told().includes(name)) ? true : undefined,
    )

  it('keeps its silences, and repeats none of its notifications', async () => {
    const config = `
route: { receiver: ops, group_by: [alertname], group_wait: 1s, group_interval: 1s, repeat_interval: 4h }
receivers:
- name: ops
  webhook_configs: [{ url: '${receiver.url}/' }]
`
    const old = await startAlertmanager({ config, folder })
    const alerts = [
      { labels: { alertname: 'DiskFull', instance: 'db-1', team: 'dä tabase' } },
      { labels: { alertname: 'DiskFull', instance: 'db-2', summary: 'x'.repeat(100) } },
      { labels: { alertname: 'Slow' } },
    ]
    await post(old, 'alerts', alerts)
    const silence = {
      matchers: [{ name: 'instance', value: 'web-.*', isRegex: true, isEqual: true }],
      startsAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + 3_600_000).toISOString(),
      createdBy: 'maya',
      comment: 'a move',
    }
    await post(old, 'silences', silence)
    await untilTold(['DiskFull', 'Slow'])
    const list = await (await fetch(`${old.url}/api/v2/alerts`)).text()
    await writeFile(join(folder, 'alerts.json'), list)
    const silences = await (await fetch(`${old.url}/api/v2/silences`)).json()
    await old.stop()
    const before = receiver.received.length

    const data = join(folder, 'new', 'data')
    await mkdir(data, { recursive: true })
    const line = 'import alertmanager data --alerts alerts.json --sqlite new/data/gatehouse.db'
    const imported = await runCli(line.split(' '), folder)
    expect(imported).toEqual({
      exitCode: 0,
      stdout: 'imported 1 silence, 2 logs of notifications, 3 alerts\n',
      stderr: '',
    })
    const server = await startGatehouse({ config, folder: join(folder, 'new') })
    try {
      expect(await (await fetch(`${server.url}/api/v2/silences`)).json()).toEqual(silences)
      await post(server, 'alerts', [{ labels: { alertname: 'Later' } }])
      await untilTold(['Later'])
      const since = receiver.received.slice(before).map(({ body }) => body.groupLabels.alertname)
      expect(since).toEqual(['Later'])
    } finally {
      await server.stop()
    }
  })

  it('says what an empty folder lacks', async () => {
    const line = 'import alertmanager new --sqlite nothing.db'
    expect(await runHere(line.split(' '), folder)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('has neither silences nor nflog'),
    })
  })
})
