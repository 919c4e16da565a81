import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  createSmallDisk,
  describeWithSmallDisk,
  type SmallDisk,
} from '../../../test-support/small-disk.ts'
import { getJson } from './support/answers.ts'
import { launchApi } from './support/api-server.ts'
import { jsonPost, send } from './support/http.ts'
import { startNotifyingApis } from './support/notifying-api.ts'
import { until } from './support/poll.ts'
import { type Server, temporaryFolder } from './support/server.ts'
import { startWebhookReceiver } from './support/webhook-receiver.ts'

describeWithSmallDisk('gatehouse api on a full disk', () => {
  let disk: SmallDisk
  let folder = ''
  let server: Server

  beforeEach(async () => {
    disk = createSmallDisk(32)
    folder = await temporaryFolder()
  })
  afterEach(async () => {
    await server.stop()
    disk.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const launch = async (): Promise<void> => {
    server = await launchApi({ folder, storage: { sqlite: join(disk.folder, 'gatehouse.db') } })
  }
  const statusOf = async (path: string): Promise<number> =>
    (await send(server.port, { method: 'GET', path })).status
  const post = async (alertname: string): Promise<number> =>
    (await send(server.port, jsonPost('/api/v2/alerts', [{ labels: { alertname } }]))).status
  const becomes = (status: number): Promise<true> =>
    until(`/-/ready is ${status}`, async () => (await statusOf('/-/ready')) === status || undefined)
  const alertNames = async (): Promise<readonly string[]> =>
    ((await getJson(server.port, '/api/v2/alerts')) as { labels: { alertname: string } }[])
      .map(({ labels }) => labels.alertname)
      .sort()

  /** Fills the disk, including the space that the reserve frees. */
  const fill = async (): Promise<void> => {
    disk.fill()
    await until('the reserve is gone', async () => {
      await post('during')
      return !existsSync(join(disk.folder, 'gatehouse.db-reserve')) || undefined
    })
    await until('nothing can be posted', async () => {
      disk.fill()
      return (await post(`${Math.random()}${'x'.repeat(10_000)}`)) === 503 || undefined
    })
  }

  it('is not ready, logs why once, answers from memory, and is ready again when there is space', {
    timeout: 60_000,
  }, async () => {
    await launch()
    expect(await post('before')).toBe(200)
    await becomes(200)
    await fill()
    await becomes(503)
    expect(await statusOf('/readyz')).toBe(503)
    expect(await statusOf('/-/healthy')).toBe(200)
    expect(await statusOf('/healthz')).toBe(200)
    expect(await alertNames()).toContain('before')
    const { body } = await send(server.port, { method: 'GET', path: '/metrics' })
    expect(body).toContain('gatehouse_storage_writable 0\n')
    expect(body).toContain('gatehouse_storage_problem{reason="StorageFull"} 1\n')
    const lines = server.output().split('\n')
    expect(lines.filter((line) => line.includes('not ready'))).toEqual([
      expect.stringContaining('reason=StorageFull'),
    ])

    disk.clear()
    await becomes(200)
    expect(await post('after')).toBe(200)
  })

  it('keeps notifying about known alerts', { timeout: 120_000 }, async () => {
    const receiver = await startWebhookReceiver()
    const storage = { sqlite: join(disk.folder, 'gatehouse.db') }
    const [started] = await startNotifyingApis(1, { folder, storage, url: receiver.url })
    if (started === undefined) throw new Error('it did not start')
    server = started
    const now = Date.now()
    // One of them ends after the disk is full, however long that takes.
    const endings = Array.from({ length: 30 }, (_, i) => now + 3_000 * i)
    const alerts = endings.map((end, i) => ({
      labels: { alertname: 'ending', group: `${i}` },
      endsAt: new Date(end).toISOString(),
    }))
    expect((await send(server.port, jsonPost('/api/v2/alerts', alerts))).status).toBe(200)
    const notified = (status: string) =>
      receiver.received.filter(({ body }) => body.status === status).map(({ body }) => body)
    await until('it fires', () => notified('firing').length > 20 || undefined, { withinMs: 30_000 })
    await fill()
    const fullAt = Date.now()
    await until(
      'a resolved alert is notified',
      () =>
        notified('resolved').some(({ groupLabels }) => {
          const end = endings[Number(groupLabels.group)] ?? 0
          return end > fullAt
        }) || undefined,
      { withinMs: 60_000 },
    )
    expect(await post(`${Math.random()}${'x'.repeat(10_000)}`)).toBe(503)
    const lines = server.output().split('\n')
    expect(lines.filter((line) => line.includes('the dispatcher failed'))).toEqual([])
    expect(lines.filter((line) => line.includes('notifications go on from memory'))).toHaveLength(1)
    disk.clear()
    await becomes(200)
    await receiver.stop()
  })

  it('starts again and answers what it can read', { timeout: 60_000 }, async () => {
    await launch()
    expect(await post('before')).toBe(200)
    await server.stop()
    disk.fill()
    await launch()
    await fill()
    await server.stop()
    disk.fill()
    await launch()
    expect(await alertNames()).toContain('before')
    expect(await statusOf('/-/ready')).toBe(503)
    disk.clear()
    await becomes(200)
  })
})
