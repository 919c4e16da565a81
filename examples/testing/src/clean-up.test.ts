import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  createAlerts,
  createWebhooks,
  listRuns,
  postAlerts,
  startDispatcher,
} from '@gatehouse/core'
import { createManualClock } from '@gatehouse/core/testing'
import { closeWebhooks } from '@gatehouse/core/webhook'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it, onTestFinished } from 'vitest'
import { createCleanUp } from './clean-up.ts'

const file = (name: string) => new URL(`../${name}`, import.meta.url)
const second = 1_000

/** Both services over one storage: notifications of `clean-up` run a webhook. */
function createServices() {
  const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  const storage = createMemoryStorage({ clock })
  const webhooks = createWebhooks({
    storage,
    clock,
    config: { text: readFileSync(file('webhooks.yaml'), 'utf8'), filename: 'webhooks.yaml' },
    environment: { ...process.env, CLEAN_DISK_TOKEN: 'only-for-http' },
    workdir: fileURLToPath(file('.')),
  })
  const alerts = createAlerts({
    storage,
    clock,
    config: readFileSync(file('alertmanager.yml'), 'utf8'),
    notifiers: (receiver) => (receiver === 'clean-up' ? [createCleanUp(webhooks)] : []),
  })
  const dispatcher = startDispatcher(alerts)
  onTestFinished(async () => {
    await dispatcher.stop()
    await closeWebhooks(webhooks)
  })

  const fire = async (labels: Record<string, string>): Promise<void> => {
    const endsAt = clock.now() + 3_600 * second
    await postAlerts(alerts, [{ labels: { alertname: 'DiskFull', ...labels }, endsAt }])
    await dispatcher.settled()
    clock.advance(10 * second)
    await dispatcher.settled()
  }
  return { fire, webhooks, runs: async () => (await listRuns(webhooks)).runs }
}

it('cleans a full disk as soon as its alert fires', async () => {
  const { fire, runs } = createServices()
  await fire({ disk: 'data-1' })
  expect(await runs()).toMatchObject([
    { webhook_id: 'clean-disk', status: 'succeeded', stdout: 'cleaning data-1\n' },
  ])
})

it('runs nothing for a disk name with other characters than letters, digits and dashes', async () => {
  const { fire, runs } = createServices()
  await fire({ disk: '../etc' })
  await fire({ disk: '--help' })
  expect(await runs()).toEqual([])
})

it('runs nothing for other alerts', async () => {
  const { fire, runs } = createServices()
  await fire({ alertname: 'Down', disk: 'data-1' })
  expect(await runs()).toEqual([])
})
