import { anyText, decodeInput, exactly, numberFrom, optional } from '../../input/decode.ts'
import type { Clock } from '../../time/clock.ts'
import type { AlertsContext } from '../context.ts'
import { attemptOnce } from '../dispatch/deliver/deliver.ts'
import {
  type DecodedSample,
  type NotificationSample,
  sampleFields,
} from '../preview/notification-sample.ts'
import {
  integrationsOf,
  nothingToSend,
  sampleNotification,
} from '../preview/sample-notification.ts'
import type { NotifyResult } from '../receivers/notifier.ts'

/** Options of {@link testReceiver}: the sample that is sent. */
export interface TestReceiverOptions extends NotificationSample {
  /** How long an attempt may take, in ms (default 10,000). */
  timeoutMs?: number
}

const decodeOptions = exactly<DecodedSample & Pick<TestReceiverOptions, 'timeoutMs'>>({
  ...sampleFields,
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
  const { timeoutMs = 10_000, ...sample } = decodeInput('options', decodeOptions, options)
  const { clock } = alerts
  return Promise.all(
    integrationsOf(alerts, decodeInput('receiver', anyText, receiver)).map(
      async ({ key, notifier, sendResolved }) => {
        const startedAt = clock.now()
        const notification = sampleNotification(alerts, receiver, { sample, sendResolved })
        const result =
          notification === undefined
            ? ({ outcome: 'skipped', detail: nothingToSend } as const)
            : await within(timeoutMs, clock, (signal) =>
                attemptOnce(notifier, notification, signal),
              )
        return { integration: key, result, tookMs: clock.now() - startedAt }
      },
    ),
  )
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
