import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  type CapturedRequest,
  captureServer,
  type GivenAnswer,
} from '../../http/capture-server.fixture.ts'
import { createManualClock } from '../../testing/index.ts'
import { createHttpClient } from '../http-client/http-client.ts'
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
import type { IntegrationType } from './integrations.ts'
import type { ReceiverKind } from './kind.ts'
import { type SampleOptions, sampleNotification } from './notifier.fixture.ts'
import type { Notifier, NotifierPorts, NotifyResult } from './notifier.ts'

const clock = createManualClock()
const templates = createNotificationTemplates([], clock)

/** As {@link sampleNotification}, rendered by the engine with the templates that come with the service. */
export const renderedNotification = (options: SampleOptions = {}): Notification =>
  createNotification(sampleNotification(options), (notification) =>
    templates.renderer(notification),
  )

/** A client that calls itself what the one did whose requests were recorded. */
const { send } = createHttpClient({
  clock,
  userAgent: 'Alertmanager/0.25.0',
  readFile: (path) => Promise.reject(new Error(`there is no file ${path}`)),
})

/** What a notifier needs of the world: the network, and what is given. */
export const testPorts = (given: Partial<NotifierPorts> = {}): NotifierPorts => ({
  send,
  readFile: (path) => Promise.reject(new Error(`there is no file ${path}`)),
  clock,
  ...given,
})

/** Ports that reach a server of the test where a notifier knows one host only. */
export const portsInsteadOf = (origin: string, serverUrl: string): NotifierPorts =>
  testPorts({
    send: (request, ...rest) =>
      send({ ...request, url: request.url.replace(origin, serverUrl) }, ...rest),
  })

/** A URL where nobody listens. */
async function unusedUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** A notifier, and how it is set up to send to a server. */
export interface DeliverOptions<T extends IntegrationType> {
  kind: { readonly type: T } & Pick<ReceiverKind<IntegrationOf<T>, object>, 'create'>
  settings: (serverUrl: string) => object
  /** How the server is reached (default: as it is configured). */
  portsFor?: (serverUrl: string) => NotifierPorts
  /** What is answered (default status 200 and no body). */
  answer?: (request: CapturedRequest) => GivenAnswer
  /** What is different in the notification. */
  notification?: SampleOptions
}

/** Notifies once: what came of it, and what arrived at the server. */
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
  const notifier = kind.create(configured<T>(kind.type, settings(url)), portsFor(url))
  const { signal } = new AbortController()
  const result = await notifier.notify(renderedNotification(notification), signal)
  return { result, requests }
}

/** How {@link describeDelivery} sets a notifier up. */
export interface DeliveryOptions<T extends IntegrationType>
  extends Omit<DeliverOptions<T>, 'answer' | 'notification'> {
  /** What no result may tell of. */
  secrets: readonly string[]
  /** What the other side answers when all is well (default status 200 and no body). */
  accepted?: GivenAnswer
  /** Which statuses are worth another attempt (default those from 500 on). */
  isRetried?: (status: number) => boolean
  /** Names of the recorded requests of each phase, in their order; none for what was not recorded. */
  recorded?: Readonly<Record<'firing' | 'resolved', readonly string[]>>
}

/** Tests what every notifier does whose request is answered, refused or lost. */
export function describeDelivery<T extends IntegrationType>(options: DeliveryOptions<T>): void {
  const { kind, accepted = {}, isRetried = (status) => status >= 500 } = options
  const { type } = kind
  const create = (url: string): Notifier =>
    kind.create(configured<T>(type, options.settings(url)), options.portsFor?.(url) ?? testPorts())
  const { signal } = new AbortController()

  describe('delivery', () => {
    it('bears its type as its name', () => {
      expect(create('http://127.0.0.1:1').name).toBe(type)
    })

    it('is sent once the other side has accepted it', async () => {
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
    ])('judges the status $status', async ({ status, reason }) => {
      const answer = { status, headers: { 'retry-after': '7' } }
      const { result } = await deliver({ ...options, answer: () => answer })
      expect(result).toEqual({
        outcome: isRetried(status) ? 'retry' : 'failed',
        reason,
        detail: `unexpected status code ${status}`,
        retryAfterMs: 7_000,
      })
    })

    it('is tried again where there is no answer, or the attempt is ended before it', async () => {
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

    it('tells nothing secret, even where the other side repeats its request', async () => {
      const { result } = await deliver({
        ...options,
        answer: ({ method, path, headers, body }) => ({
          status: 400,
          body: `${method} ${path} is wrong: ${JSON.stringify(headers)} ${body}`,
        }),
      })
      const told = JSON.stringify(result)
      expect(told).toContain('is wrong')
      for (const secret of options.secrets) expect(told).not.toContain(secret)
    })
  })

  const { recorded } = options
  if (recorded === undefined) return
  describe.each(['firing', 'resolved'] as const)('recorded requests, %s', (phase) => {
    it('are sent alike', async () => {
      const { url, requests } = await captureServer(() => accepted)
      const notifier = kind.create(recordedIntegration<T>(type, url), testPorts())
      const notification = renderedNotification({ resolved: phase === 'resolved' })
      const result = await notifier.notify(notification, signal)
      expect(result).toMatchObject({ outcome: 'sent' })
      expect(comparable(requests)).toEqual(recordedRequests(phase, recorded[phase]))
    })
  })
}
