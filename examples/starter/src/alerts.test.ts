import { expect, it } from 'vitest'
import { createTestApp } from './services.fixture.ts'

it('lists an alert with its receiver', async () => {
  const { get, post } = createTestApp()
  const labels = { alertname: 'DiskFull', severity: 'warning' }
  expect((await post('/api/v2/alerts', [{ labels }])).status).toBe(200)
  expect(await (await get('/api/v2/alerts')).json()).toMatchObject([
    { labels, receivers: [{ name: 'team' }], status: { state: 'active' } },
  ])
})

it('is healthy until a critical alert fires, and five minutes after its last post', async () => {
  const { clock, get, post } = createTestApp()
  expect((await get('/health')).status).toBe(200)
  await post('/api/v2/alerts', [{ labels: { alertname: 'Down', severity: 'critical' } }])
  expect((await get('/health')).status).toBe(503)
  clock.advance(5 * 60_000)
  expect((await get('/health')).status).toBe(200)
})
