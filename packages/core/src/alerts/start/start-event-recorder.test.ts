import { describe, expect, it } from 'vitest'
import { captureServer, type GivenAnswer } from '../../http/capture-server.fixture.ts'
import type { ManualClock } from '../../testing/index.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import type { AlertsOptions } from '../create-alerts.ts'
import { updateAlertsConfig } from '../running-config/update-alerts-config.ts'
import { createFixture } from '../service.fixture.ts'
import { createSilence } from '../silences/create-silence.ts'
import { expireSilence } from '../silences/expire-silence.ts'
import { startDispatcher } from './start-dispatcher.ts'
import { startEventRecorder } from './start-event-recorder.ts'

const configWith = (outputs: string): string => `
route: { receiver: team, group_by: [alertname], group_wait: 0s, group_interval: 1s }
inhibit_rules:
- { source_matchers: [severity="critical"], target_matchers: [severity="warning"], equal: [alertname] }
receivers: [{ name: team }]
event_recorder: { ${outputs} }
`

const toFile = configWith('file_outputs: [{ path: /var/log/events.json }]')

interface Started {
  readonly alerts: AlertsContext
  readonly clock: ManualClock
  /** What was written, by path. */
  readonly files: Map<string, string>
  /** The events in the file, without their time and instance. */
  events(): unknown[]
  /** Lets time pass, and the dispatcher work. */
  pass(ms: number): Promise<void>
  stop(): Promise<void>
}

/** Lets pending writes end. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

function start(config: string, options: Partial<AlertsOptions> = {}): Started {
  const { alerts, clock } = createFixture({
    config,
    notifiers: { team: [{ name: 'test', notify: async () => ({ outcome: 'sent' }) }] },
    ...options,
  })
  const files = new Map<string, string>()
  const recorder = startEventRecorder(alerts, {
    instance: 'here',
    appendFile: async (path, text) => void files.set(path, (files.get(path) ?? '') + text),
    print: async (text) => void files.set('', (files.get('') ?? '') + text),
  })
  const dispatcher = startDispatcher(alerts)
  return {
    alerts,
    clock,
    files,
    events: () =>
      (files.get('/var/log/events.json') ?? '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).data),
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 1_000) {
        clock.advance(1_000)
        await settle()
        await dispatcher.settled()
      }
      await settle()
    },
    async stop() {
      await dispatcher.stop()
      await recorder.stop()
    },
  }
}

const kinds = (events: unknown[]): string[] => events.flatMap((data) => Object.keys(data as object))

async function metric(alerts: AlertsContext, name: string): Promise<string | undefined> {
  const { body } = await alerts.metrics.expose(null)
  return body
    .split('\n')
    .find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    ?.split(' ')
    .at(-1)
}

describe('startEventRecorder()', () => {
  it('records the life of an alert as lines of JSON', async () => {
    const { alerts, clock, files, events, pass, stop } = start(toFile)
    const labels = { alertname: 'Down', job: 'api' }
    const annotations = { summary: 'it is down' }
    await postAlerts(alerts, [{ labels, annotations, startsAt: clock.now() }])
    await pass(1_000)
    clock.advance(1_000)
    await postAlerts(alerts, [{ labels, startsAt: clock.now() - 2_000, endsAt: clock.now() }])
    await pass(2_000)
    await stop()

    const alert = expect.objectContaining({ fingerprint: expect.any(String), labels, annotations })
    const group = { receiver: 'team', groupKey: '{}:{alertname="Down"}' }
    expect(events()).toEqual([
      { startup: { version: '0.34.0' } },
      { alertCreated: { alert } },
      { alertGrouped: { alert, group } },
      {
        notification: {
          group,
          integration: 'code:test/0',
          reason: 'first notification',
          firing: [expect.any(String)],
          resolved: [],
          attempts: 1,
          durationMs: 0,
        },
      },
      { alertResolved: { alert: expect.objectContaining({ labels }) } },
      { notification: expect.objectContaining({ group, resolved: [expect.any(String)] }) },
      { shutdown: {} },
    ])
    const [first] = files.get('/var/log/events.json')?.split('\n') ?? []
    expect(JSON.parse(first ?? '')).toMatchObject({
      timestamp: '2026-01-02T12:00:00.000Z',
      instance: 'here',
    })
    expect(await metric(alerts, 'alertmanager_events_dropped_total')).toBe('0')
    const bytes = await metric(alerts, 'alertmanager_event_recorder_bytes_written_total')
    expect(Number(bytes)).toBe(files.get('/var/log/events.json')?.length)
  })

  it('records the silent end of an alert once, and that it fires again', async () => {
    const { alerts, clock, events, pass, stop } = start(toFile)
    const post = () =>
      postAlerts(alerts, [{ labels: { alertname: 'A' }, endsAt: clock.now() + 5_000 }])
    await post()
    await pass(10_000)
    await post()
    await pass(1_000)
    await stop()
    const found = kinds(events()).filter((kind) => kind.startsWith('alert'))
    expect(found).toEqual([
      'alertCreated',
      'alertGrouped',
      'alertResolved',
      'alertCreated',
      'alertGrouped',
    ])
  })

  it('records silences, and the alerts that they and inhibitions mute, once an hour', async () => {
    const { alerts, clock, events, pass, stop } = start(toFile)
    const silence = await createSilence(alerts, {
      matchers: [{ name: 'alertname', value: 'A', isRegex: false }],
      startsAt: clock.now(),
      endsAt: clock.now() + 60_000,
      createdBy: 'ops',
      comment: 'maintenance',
    })
    const endsAt = clock.now() + 600_000
    await postAlerts(alerts, [
      { labels: { alertname: 'A' }, endsAt },
      { labels: { alertname: 'B', severity: 'critical' }, endsAt },
      { labels: { alertname: 'B', severity: 'warning' }, endsAt },
    ])
    await pass(5_000)
    await expireSilence(alerts, silence)
    await pass(1_000)
    await stop()
    const muted = events().filter((data) => /^(silence|inhibition)/.test(kinds([data])[0] ?? ''))
    expect(muted).toEqual([
      { silenceCreated: { silence: expect.objectContaining({ id: silence, createdBy: 'ops' }) } },
      {
        silenceMutedAlert: {
          fingerprint: expect.any(String),
          silenceIDs: [silence],
          group: { receiver: 'team', groupKey: '{}:{alertname="A"}' },
        },
      },
      {
        inhibitionMutedAlert: {
          fingerprint: expect.any(String),
          inhibitedBy: [expect.any(String)],
          group: { receiver: 'team', groupKey: '{}:{alertname="B"}' },
        },
      },
      { silenceUpdated: { silence: expect.objectContaining({ id: silence }) } },
    ])
  })

  it('drops and counts the events that a full disk refuses, and notifies all the same', async () => {
    const warnings: object[] = []
    const { alerts, clock } = createFixture({
      config: toFile,
      logger: {
        debug: () => {},
        info: () => {},
        warn: (fields) => warnings.push(fields),
        error: () => {},
      },
    })
    let isFull = true
    let file = ''
    const recorder = startEventRecorder(alerts, {
      async appendFile(_path, text) {
        if (isFull) {
          file += text.slice(0, 5)
          throw new Error('ENOSPC: no space left on device')
        }
        file += text
      },
    })
    await settle()
    await postAlerts(alerts, [{ labels: { alertname: 'A' } }])
    await settle()
    isFull = false
    clock.advance(1)
    await postAlerts(alerts, [{ labels: { alertname: 'B' } }])
    await settle()
    await recorder.stop()
    expect(await metric(alerts, 'alertmanager_events_dropped_total')).toBe('3')
    expect(await metric(alerts, 'alertmanager_event_output_drops_total')).toBe('3')
    expect(warnings).toEqual([{ output: 'file/0', error: 'ENOSPC: no space left on device' }])
    const whole = file.split('\n').filter((line) => line.endsWith('}'))
    expect(kinds(whole.map((line) => JSON.parse(line).data))).toEqual([
      'alertCreated',
      'alertGrouped',
      'shutdown',
    ])
  })

  it('ends five seconds after the stop, although a file never takes what it should', async () => {
    const { alerts, clock } = createFixture({ config: toFile })
    const recorder = startEventRecorder(alerts, { appendFile: () => new Promise(() => {}) })
    await settle()
    let hasStopped = false
    const stopped = recorder.stop().then(() => {
      hasStopped = true
    })
    clock.advance(4_999)
    await settle()
    expect(hasStopped).toBe(false)
    clock.advance(1)
    await stopped
    expect(await metric(alerts, 'alertmanager_events_dropped_total')).toBe('2')
  })

  it('opens the outputs of a new configuration, and says which ones it does not use', async () => {
    const warnings: object[] = []
    const logger = { debug() {}, info() {}, error() {}, warn: (of: object) => warnings.push(of) }
    const { alerts, files, stop } = start(toFile, { logger })
    updateAlertsConfig(
      alerts,
      configWith('stdout_outputs: [{}], kafka_outputs: [{ brokers: [a:1], topic: t }]'),
    )
    await postAlerts(alerts, [{ labels: { alertname: 'A' } }])
    await stop()
    const written = (path: string) => files.get(path)?.match(/alertCreated|shutdown|startup/g)
    expect(written('/var/log/events.json')).toEqual(['startup'])
    expect(written('')).toEqual(['alertCreated', 'shutdown'])
    expect(warnings).toEqual([{ output: 'kafka/0', why: 'events are not sent to Kafka' }])
  })

  it('follows nothing without outputs', async () => {
    const { alerts, events, stop } = start(configWith(''))
    expect(alerts.dispatch.followsAlerts).toBe(false)
    await stop()
    expect(events()).toEqual([])
    expect(await metric(alerts, 'alertmanager_event_recorder_queue_length')).toBe('0')
  })
})

describe('webhook_outputs', () => {
  const webhookTo = (url: string, more = ''): string =>
    configWith(`webhook_outputs: [{ url: '${url}/secret-path', ${more} }]`)

  it('posts each event, and repeats what may succeed later', async () => {
    const answers: GivenAnswer[] = [{ status: 503 }, { status: 200 }]
    const { url, requests } = await captureServer(() => answers.shift() ?? {})
    const { alerts, clock, stop } = start(webhookTo(url, 'workers: 1'))
    await expect.poll(() => requests.length, { timeout: 60_000 }).toBe(1)
    await expect
      .poll(() => clock.advance(500) ?? requests.length, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(2)
    await stop()
    expect(requests.map(({ body }) => kinds([JSON.parse(body).data])[0])).toEqual([
      'startup',
      'startup',
      'shutdown',
    ])
    expect(requests[0]?.headers['content-type']).toBe('application/json')
    expect(await metric(alerts, 'alertmanager_events_dropped_total')).toBe('0')
  })

  it('drops what is refused for good, and logs it without the secret URL', async () => {
    const log: string[] = []
    const write = (fields: object, message: string) => log.push(JSON.stringify([fields, message]))
    const logger = { debug: write, info: write, warn: write, error: write }
    const { url } = await captureServer(({ path }) => ({ status: 400, body: `no ${path}` }))
    const { alerts, stop } = start(webhookTo(url), { logger })
    await stop()
    expect(await metric(alerts, 'alertmanager_event_output_drops_total')).toBe('2')
    expect(log.join()).toContain('events are lost')
    expect(log.join()).not.toContain('secret-path')
  })

  it('sends batches', async () => {
    const { url, requests } = await captureServer()
    const { alerts, stop } = start(webhookTo(url, 'batch: true, batch_max_events: 3'))
    await postAlerts(alerts, [{ labels: { alertname: 'A' } }])
    await expect.poll(() => requests.length, { timeout: 60_000 }).toBe(1)
    await stop()
    const batches: { data: object }[][] = requests.map(({ body }) => JSON.parse(body))
    const [first = [], ...rest] = batches.map((batch) => kinds(batch.map(({ data }) => data)))
    expect(first).toEqual(['startup', 'alertCreated', 'alertGrouped'])
    expect(rest.flat().at(-1)).toBe('shutdown')
  })

  it('gives up at the stop what a server never answers', async () => {
    const { url, requests } = await captureServer(() => new Promise(() => {}))
    const { alerts, clock, stop } = start(webhookTo(url, 'workers: 1'))
    await expect.poll(() => requests.length, { timeout: 60_000 }).toBe(1)
    const stopped = stop()
    let isStopped = false
    void stopped.then(() => {
      isStopped = true
    })
    await expect.poll(() => clock.advance(5_000) ?? isStopped, { timeout: 60_000 }).toBe(true)
    expect(await metric(alerts, 'alertmanager_events_dropped_total')).toBe('2')
  })
})
