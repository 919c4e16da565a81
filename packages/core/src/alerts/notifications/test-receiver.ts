import type { OutgoingRequest } from '../../http-client/send-request.ts'
import { anyText, decodeInput, exactly, flag, numberFrom, optional } from '../../input/decode.ts'
import type { Clock } from '../../time/clock.ts'
import type { AlertsContext } from '../context.ts'
import { attemptOnce } from '../dispatch/deliver/deliver.ts'
import type { Notification } from '../notification/notification.ts'
import {
  type DecodedSample,
  type NotificationSample,
  sampleFields,
} from '../preview/notification-sample.ts'
import { isAsSent } from '../preview/preview-integration.ts'
import {
  integrationsOf,
  nothingToSend,
  type SampleNotificationOptions,
  sampleNotification,
} from '../preview/sample-notification.ts'
import { notifierOf } from '../receivers/integrations.ts'
import type { NotifierPorts, NotifyResult } from '../receivers/notifier.ts'
import type { ReadyIntegration } from '../receivers/receiver-set.ts'
import { type RenderedIntegration, renderFor } from './render-notification.ts'

/** Options of {@link testReceiver}: the sample that is sent. */
export interface TestReceiverOptions extends NotificationSample {
  /** Whether to return the message, too (default false). */
  message?: boolean
  /** How long an attempt may take, in ms (default 10,000). */
  timeoutMs?: number
}

const decodeOptions = exactly<DecodedSample & Pick<TestReceiverOptions, 'message' | 'timeoutMs'>>({
  ...sampleFields,
  message: optional(flag),
  timeoutMs: optional(numberFrom(0)),
})

/** How the test of one integration ended. */
export interface TestedIntegration {
  /** Type and index in the receiver, such as `webhook/0`. */
  readonly integration: string
  /** The result; `skipped` if the integration does not send resolved alerts and there are no others. */
  readonly result: NotifyResult | { readonly outcome: 'skipped'; readonly detail: string }
  /** How long it took, in ms. */
  readonly tookMs: number
  /** The message, rendered without secrets, which are masked. Only with the option `message`. */
  readonly message?: RenderedIntegration
  /** Whether the requests or the email of `message` were sent as they are there, apart from addresses and headers. */
  readonly isAsSent?: boolean
}

/**
 * Really sends one notification through each integration of a receiver, once. The notification is not logged, so no later one
 * depends on it, and it does not count in metrics or history. The other side cannot distinguish it from a real one: to close an
 * incident that it opened, send the same sample, resolved.
 *
 * @throws {GatehouseError} `InvalidInput`; `ReceiverNotFound`
 */
export async function testReceiver(
  alerts: AlertsContext,
  receiver: string,
  options: TestReceiverOptions = {},
): Promise<TestedIntegration[]> {
  const {
    timeoutMs = 10_000,
    message = false,
    ...sample
  } = decodeInput('options', decodeOptions, options)
  const integrations = integrationsOf(alerts, decodeInput('receiver', anyText, receiver))
  return Promise.all(
    integrations.map((one) => {
      const now = alerts.clock.now()
      const { sendResolved } = one
      const wanted: Wanted = {
        timeoutMs,
        message,
        notificationFor: (createRenderer) =>
          sampleNotification(alerts, receiver, {
            ...{ sample, sendResolved, now },
            ...(createRenderer && { createRenderer }),
          }),
      }
      return testOne(alerts, one, wanted)
    }),
  )
}

interface Wanted {
  readonly timeoutMs: number
  readonly message: boolean
  readonly notificationFor: (
    createRenderer?: SampleNotificationOptions['createRenderer'],
  ) => Notification | undefined
}

async function testOne(
  alerts: AlertsContext,
  one: ReadyIntegration,
  { timeoutMs, message: wantsMessage, notificationFor }: Wanted,
): Promise<TestedIntegration> {
  const { clock, config, receiversOf } = alerts
  const { key: integration, configured } = one
  const startedAt = clock.now()
  const notification = notificationFor()
  if (notification === undefined) {
    return { integration, result: { outcome: 'skipped', detail: nothingToSend }, tookMs: 0 }
  }
  const requests: OutgoingRequest[] = []
  const ports: NotifierPorts = {
    ...receiversOf(config.current).ports,
    send(request, ...rest) {
      requests.push(request)
      return alerts.send(request, ...rest)
    },
  }
  const notifier = configured === undefined ? one.notifier : notifierOf(configured, ports)
  const result = await within(timeoutMs, clock, (signal) =>
    attemptOnce(notifier, notification, signal),
  )
  const tested = { integration, result, tookMs: clock.now() - startedAt }
  if (!wantsMessage || configured === undefined) return tested
  const message = await renderFor(alerts, one, notificationFor)
  const sent = { notification, requests, ports }
  return { ...tested, message, isAsSent: isAsSent(message, configured, sent) }
}

async function within<T>(
  ms: number,
  clock: Clock,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const cancel = clock.setTimer(ms, () => {
    controller.abort(new DOMException('the test took too long', 'TimeoutError'))
  })
  try {
    return await work(controller.signal)
  } finally {
    cancel()
  }
}
