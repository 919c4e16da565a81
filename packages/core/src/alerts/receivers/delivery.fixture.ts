import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  type CapturedRequest,
  captureServer,
  type GivenAnswer,
} from '../../http/capture-server.fixture.ts'
import { createHttpClient } from '../../http-client/http-client.ts'
import { createManualClock } from '../../testing/index.ts'
import { createNotification } from '../notification/create-notification.ts'
import type { Notification } from '../notification/notification.ts'
import { createNotificationTemplates } from '../notification/notification-templates.ts'
import {
  comparable,
  configured,
  type IntegrationOf,
  recordedIntegration,
  recordedRequests,
} from './configured.fixture.ts'
import { type IntegrationType, notifierOf } from './integrations.ts'
import type { ReceiverKind } from './kind.ts'
import { type SampleOptions, sampleNotification } from './notifier.fixture.ts'
import type { Notifier, NotifierPorts, NotifyResult } from './notifier.ts'

const clock = createManualClock()
const templates = createNotificationTemplates([], clock)

/** {@link sampleNotification}, rendered by the template engine with the default templates. */
export const renderedNotification = (options: SampleOptions = {}): Notification =>
  createNotification(sampleNotification(options), (notification) =>
    templates.renderer(notification),
  )

/** A client with the user agent of the recorded requests. */
const { send } = createHttpClient({
  clock,
  userAgent: 'Alertmanager/0.25.0',
  readFile: (path) => Promise.reject(new Error(`there is no file ${path}`)),
})

/** The ports of a notifier: the network, and the given ones. */
export const testPorts = (given: Partial<NotifierPorts> = {}): NotifierPorts => ({
  send,
  readFile: (path) => Promise.reject(new Error(`there is no file ${path}`)),
  clock,
  ...given,
})

/** Ports that redirect requests for the fixed host of a notifier to a test server. */
export const portsInsteadOf = (origin: string, serverUrl: string): NotifierPorts =>
  testPorts({
    send: (request, ...rest) =>
      send({ ...request, url: request.url.replace(origin, serverUrl) }, ...rest),
  })

/** A URL where nothing listens. */
async function unusedUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** A notifier, and its settings for a test server. */
export interface DeliverOptions<T extends IntegrationType> {
  kind: { readonly type: T } & Pick<ReceiverKind<IntegrationOf<T>, object>, 'create'>
  settings: (serverUrl: string) => object
  /** The ports for the server (default: its configured URL). */
  portsFor?: (serverUrl: string) => NotifierPorts
  /** The server's response (default status 200 and no body). */
  answer?: (request: CapturedRequest) => GivenAnswer
  /** Overrides of the notification. */
  notification?: SampleOptions
}

/** Notifies once, and returns the result and the requests that the server received. */
export async function deliver<T extends IntegrationType>({
  kind,
  settings,
  portsFor = () => testPorts(),
  answer,
  notification = {},
}: DeliverOptions<T>): Promise<{
  readonly result: NotifyResult
  readonly requests: readonly CapturedRequest[]
}> {
  const { url, requests } = await captureServer(answer)
  const notifier = notifierOf(configured<T>(kind.type, settings(url)), portsFor(url))
  const { signal } = new AbortController()
  const result = await notifier.notify(renderedNotification(notification), signal)
  return { result, requests }
}

/** The settings of {@link describeDelivery} for a notifier. */
export interface DeliveryOptions<T extends IntegrationType>
  extends Omit<DeliverOptions<T>, 'answer' | 'notification'> {
  /** Texts that no result may contain. */
  secrets: readonly string[]
  /** The server's response in the successful case (default status 200 and no body). */
  accepted?: GivenAnswer
  /** Statuses that are retried (default those from 500 on). */
  isRetried?: (status: number) => boolean
  /** Names of the recorded requests of each phase, in their order; none if they were not recorded. */
  recorded?: Readonly<Record<'firing' | 'resolved', readonly string[]>>
}

/** Tests the common behavior of notifiers: their request is accepted, refused or lost. */
export function describeDelivery<T extends IntegrationType>(options: DeliveryOptions<T>): void {
  const { kind, accepted = {}, isRetried = (status) => status >= 500 } = options
  const { type } = kind
  const create = (url: string): Notifier =>
    kind.create(configured<T>(type, options.settings(url)), options.portsFor?.(url) ?? testPorts())
  const { signal } = new AbortController()

  describe('delivery', () => {
    it('has its type as its name', () => {
      expect(create('http://127.0.0.1:1').name).toBe(type)
    })

    it('succeeds once the server has accepted it', async () => {
      const { result } = await deliver({ ...options, answer: () => accepted })
      expect(result).toMatchObject({ outcome: 'sent' })
    })

    it.each([
      { status: 304, reason: 'other' },
      { status: 400, reason: 'clientError' },
      { status: 401, reason: 'authError' },
      { status: 403, reason: 'authError' },
      { status: 404, reason: 'clientError' },
      { status: 429, reason: 'rateLimited' },
      { status: 500, reason: 'serverError' },
      { status: 503, reason: 'serverError' },
    ])('maps the status $status to a result', async ({ status, reason }) => {
      const answer = { status, headers: { 'retry-after': '7' } }
      const { result } = await deliver({ ...options, answer: () => answer })
      expect(result).toEqual({
        outcome: isRetried(status) ? 'retry' : 'failed',
        reason,
        detail: `unexpected status code ${status}`,
        retryAfterMs: 7_000,
      })
    })

    it('is retried without a response, or if the attempt is aborted first', async () => {
      const lost = await create(await unusedUrl()).notify(renderedNotification(), signal)
      expect(lost).toMatchObject({ outcome: 'retry', reason: 'other' })
      expect(lost).toHaveProperty('detail', expect.stringContaining('connection refused'))

      const ending = new AbortController()
      const { url, requests } = await captureServer(async () => {
        ending.abort()
        return new Promise<never>(() => {})
      })
      const ended = await create(url).notify(renderedNotification(), ending.signal)
      expect(ended).toMatchObject({ outcome: 'retry', reason: 'contextCanceled' })
      expect(requests).toHaveLength(1)
    })

    it('reports no secret, even if the server repeats the request', async () => {
      const { result } = await deliver({
        ...options,
        answer: ({ method, path, headers, body }) => ({
          status: 400,
          body: `${method} ${path} is wrong: ${JSON.stringify(headers)} ${body}`,
        }),
      })
      const text = JSON.stringify(result)
      expect(text).toContain('is wrong')
      for (const secret of options.secrets) expect(text).not.toContain(secret)
    })
  })

  const { recorded } = options
  if (recorded === undefined) return
  describe.each(['firing', 'resolved'] as const)('recorded requests, %s', (phase) => {
    it('are sent in the same form', async () => {
      const { url, requests } = await captureServer(() => accepted)
      const notifier = kind.create(recordedIntegration<T>(type, url), testPorts())
      const notification = renderedNotification({ resolved: phase === 'resolved' })
      const result = await notifier.notify(notification, signal)
      expect(result).toMatchObject({ outcome: 'sent' })
      expect(comparable(requests)).toEqual(recordedRequests(phase, recorded[phase]))
    })
  })
}
