import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import type { TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import { createManualClock } from '../../testing/index.ts'
import { fingerprintOfObject } from '../alert/label-set.ts'
import {
  createNotification,
  type NotificationContent,
} from '../notification/create-notification.ts'
import type { Notification, NotifiedAlert } from '../notification/notification.ts'
import { createNotificationTemplates } from '../notification/notification-templates.ts'

/** A request as it arrived. */
export interface CapturedRequest {
  readonly method: string
  /** With its query, as `/w?x=1`. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What to answer to a request (default status 200 and no body). */
export interface GivenAnswer {
  status?: number
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** A server that remembers what it was asked. */
export interface CaptureServer {
  /** As `http://127.0.0.1:40000`. */
  readonly url: string
  /** In the order of their arrival. */
  readonly requests: readonly CapturedRequest[]
}

/**
 * Starts a server on the loopback interface that is closed when the test that called this ends.
 *
 * @param answer decides what to answer; it may wait, for ever too.
 * @param tls makes it a server of https.
 */
export async function captureServer(
  answer: (request: CapturedRequest) => GivenAnswer | Promise<GivenAnswer> = () => ({}),
  tls?: TlsOptions,
): Promise<CaptureServer> {
  const requests: CapturedRequest[] = []
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = incoming
    const body = await readText(incoming).catch(() => undefined)
    if (body === undefined) return // The client went away.
    const request = { method, path, headers, body }
    requests.push(request)
    const { status = 200, headers: given = {}, body: answered = '' } = await answer(request)
    response.writeHead(status, given).end(answered)
  }
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  })
  const { port } = server.address() as AddressInfo
  return { url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, requests }
}

const summary = 'Disk <full> & "hot"'

/** The two alerts that the recorded requests are about, in the order of a flush. */
export const sampleAlerts: readonly NotifiedAlert[] = [
  sampleAlert({
    labels: { alertname: 'DiskFull', instance: 'h0:9100', severity: 'critical' },
    startsAt: Date.UTC(2026, 10, 21, 0, 0, 1),
  }),
  sampleAlert({
    labels: { alertname: 'DiskFull', instance: 'h1:9100', severity: 'critical' },
    annotations: { runbook: 'http://rb/', summary },
    generatorURL: 'http://prom/graph?g0.expr=a&g0.tab=1',
  }),
]

/** A firing alert with what is given. */
export function sampleAlert(given: Partial<NotifiedAlert> = {}): NotifiedAlert {
  const { labels = { alertname: 'DiskFull' } } = given
  return {
    status: 'firing',
    labels,
    annotations: { summary },
    startsAt: Date.UTC(2026, 10, 21),
    endsAt: undefined,
    generatorURL: '',
    fingerprint: fingerprintOfObject(labels),
    ...given,
  }
}

/** The alert when it ended, a minute after midnight. */
export const resolvedAlert = (alert: NotifiedAlert): NotifiedAlert => ({
  ...alert,
  status: 'resolved',
  endsAt: Date.UTC(2026, 10, 21, 0, 1),
})

/** Options of {@link sampleNotification}. */
export interface SampleOptions extends Partial<NotificationContent> {
  /** Whether all alerts have ended (default false). */
  resolved?: boolean
}

const templates = createNotificationTemplates([], createManualClock())

/** The notification that the recorded requests came from, changed as given. */
export function sampleNotification(options: SampleOptions = {}): Notification {
  const { resolved = false, ...given } = options
  const { alerts = resolved ? sampleAlerts.map(resolvedAlert) : sampleAlerts } = given
  return createNotification(
    {
      groupKey: '{}:{alertname="DiskFull"}',
      receiver: 'all',
      reason: resolved ? 'all alerts resolved' : 'first notification',
      groupLabels: { alertname: 'DiskFull' },
      routeLabels: {},
      externalURL: 'http://am.example.org',
      now: Date.UTC(2026, 10, 21, 0, 2),
      kept: {},
      ...given,
      alerts,
    },
    (notification) => templates.renderer(notification),
  )
}
