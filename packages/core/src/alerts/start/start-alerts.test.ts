import { describe, expect, it } from 'vitest'
import { stopAll } from '../../async/running.ts'
import { createRouteTable } from '../../http/route-table.ts'
import { listAlertHistory } from '../alerts/list-alert-history.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsOptions } from '../create-alerts.ts'
import { updateAlertsConfig } from '../running-config/update-alerts-config.ts'
import { createFixture } from '../service.fixture.ts'
import { watchChanges } from '../watch-changes.ts'
import { startAlerts } from './start-alerts.ts'

const flushed = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve))

describe('startAlerts', () => {
  it('keeps the history until the end, and leaves no timer', async () => {
    const { alerts, clock } = createFixture()
    const running = startAlerts(alerts)
    await postAlerts(alerts, [{ labels: { alertname: 'Disk' } }])
    for (let seconds = 0; seconds < 60; seconds++) {
      clock.advance(1_000)
      await flushed()
    }
    await running.stop()
    expect((await listAlertHistory(alerts)).items.length).toBeGreaterThan(0)
    expect(clock.pendingTimers).toBe(0)
  })

  it('ends the streams of changes when it is stopped', async () => {
    const { alerts } = createFixture()
    const running = startAlerts(alerts)
    const changes = watchChanges(alerts)
    await changes.next()
    await Promise.all([running.stop(), running.stop()])
    for await (const _ of changes);
    expect(alerts.changes.size).toBe(0)
  })

  it('leaves parts out', async () => {
    const { alerts, clock } = createFixture()
    const nothing = { dispatcher: false, maintenance: false, history: false, heartbeat: false }
    const running = startAlerts(alerts, { ...nothing, eventRecorder: false })
    expect(clock.pendingTimers).toBe(0)
    await running.stop()
  })

  describe('on a service without access checks', () => {
    const open = /any client that can reach this server may post alerts/

    /** A service that keeps its warnings, and a way to send it a request. */
    function service(options: Partial<AlertsOptions> = {}) {
      const warnings: string[] = []
      const ignore = (): void => {}
      const warn = (_: object, text: string): void => void warnings.push(text)
      const logger = { debug: ignore, info: ignore, warn, error: ignore }
      const { alerts } = createFixture({ logger, ...options })
      const table = createRouteTable(alerts.routes)
      const send = async (address: string | undefined): Promise<void> => {
        const match = table.match('GET', '/api/v2/alerts')
        const peer = address === undefined ? {} : { peer: { address } }
        const info = { params: {}, path: '', mountPath: '', query: '', secure: false, ...peer }
        await match?.route.answer(new Request('http://localhost/api/v2/alerts'), info)
      }
      return { alerts, warnings, send }
    }

    it('warns once, of the first request of another machine', async () => {
      const { alerts, warnings, send } = service()
      const running = startAlerts(alerts)
      for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1', undefined]) await send(own)
      expect(warnings).toEqual([])
      for (const _ of ['once', 'again']) await send('192.0.2.1')
      expect(warnings).toEqual([expect.stringMatching(open)])
      await running.stop()
    })

    it('warns at once if people reach it at another name than localhost', async () => {
      const { alerts, warnings, send } = service({ externalUrl: 'https://alerts.example.com' })
      const running = startAlerts(alerts)
      await send('192.0.2.1')
      expect(warnings).toEqual([expect.stringMatching(open)])
      await running.stop()
    })

    it('does not warn with authorize, nor if it is told not to', async () => {
      const externalUrl = 'https://alerts.example.com'
      const guarded = service({ externalUrl, authorize: () => true })
      const told = service({ externalUrl })
      const running = [startAlerts(guarded.alerts), startAlerts(told.alerts, { warnings: false })]
      for (const { send } of [guarded, told]) await send('192.0.2.1')
      expect([...guarded.warnings, ...told.warnings]).toEqual([])
      await stopAll(...running)
    })

    it('logs probable mistakes in the configuration, as gatehouse check does', () => {
      const text = `route: { receiver: a }
receivers:
- name: a
  webhook_configs: [{ url: "https://hooks.example.com/<secret>" }]
`
      const { alerts, warnings } = service({ config: { text, filename: 'am.yml' } })
      expect(warnings).toEqual([expect.stringContaining('am.yml:4:')])
      updateAlertsConfig(alerts, { text, filename: 'am.yml' })
      expect(warnings).toHaveLength(2)
    })
  })

  it.each([
    [{ dispacher: false }, '"dispatcher"'],
    [{ dispatcher: 1 }, 'options.dispatcher'],
    [{ dispatcher: { concurrency: 0 } }, 'options.dispatcher.concurrency'],
    [{ history: 'no' }, 'options.history'],
  ])('refuses %j', (options, message) => {
    const { alerts } = createFixture()
    expect(() => startAlerts(alerts, options as object)).toThrow(message)
  })
})
