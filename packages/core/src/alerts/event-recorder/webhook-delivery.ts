import type { WholeNumber } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../crypto/secret.ts'
import type { HttpConfig } from '../../http-client/http-config.ts'
import type { SendRequest } from '../../http-client/send-request.ts'
import { detailsWithout, secretsOfUrl } from '../../http-client/without-secrets.ts'
import type { Clock } from '../../time/clock.ts'
import { pause } from '../dispatch/pace/pause.ts'
import { attempt, jsonPost } from '../receivers/attempt/attempt.ts'
import type { NotifyResult } from '../receivers/notifier.ts'
import type { EventOutputReport } from './event-output.ts'

/** The ports of {@link createWebhookDelivery}. */
export interface WebhookOutputPorts {
  readonly send: SendRequest
  readonly readFile: (path: string) => Promise<string>
  readonly clock: Clock
}

/** An item of `webhook_outputs`. Times are in ms. */
export interface WebhookOutputSettings {
  readonly url?: Secret
  readonly http_config: HttpConfig
  readonly timeout: number
  readonly workers: WholeNumber
  readonly max_retries: WholeNumber
  readonly retry_backoff: number
  readonly batch: boolean
  readonly batch_max_events: WholeNumber
  readonly batch_max_bytes: WholeNumber
  readonly batch_flush_interval: number
}

/** Options of {@link createWebhookDelivery}. */
export interface WebhookDeliveryOptions extends WebhookOutputPorts {
  readonly report: EventOutputReport
  /** Ends the requests and pauses. */
  readonly signal: AbortSignal
}

const maxRetries = 20
const maxBackoffMs = 60_000

const noActivity = { pause: () => () => {} }

/** Returns a function that posts lines as one request, and again while that may succeed. Otherwise the lines are dropped. */
export function createWebhookDelivery(
  settings: WebhookOutputSettings,
  { clock, report, signal, ...ports }: WebhookDeliveryOptions,
): (lines: readonly string[]) => Promise<void> {
  const url = settings.url?.reveal() ?? ''
  const retries = Math.min(Math.max(0, Number(settings.max_retries)), maxRetries)
  const signals = [signal]

  const post = (body: string): Promise<NotifyResult> =>
    attempt({ clock, ...ports }, jsonPost(url, body), {
      http: settings.http_config,
      signal,
      timeoutMs: settings.timeout,
      retryOn: [429],
      detailsOf: (answer) => detailsWithout(secretsOfUrl(url))(answer),
    })

  return async (lines) => {
    const body = settings.batch ? `[${lines.join(',')}]` : lines.join('')
    for (let retry = 0; ; retry++) {
      const result = await post(body)
      if (result.outcome === 'sent') {
        report.written(Buffer.byteLength(body))
        report.worked()
        return
      }
      const backoffMs = Math.min(settings.retry_backoff * 2 ** retry, maxBackoffMs)
      const waitMs = Math.min(Math.max(backoffMs, result.retryAfterMs ?? 0), maxBackoffMs)
      const mayRetry = result.outcome === 'retry' && retry < retries
      if (mayRetry && (await pause(waitMs, { clock, activity: noActivity, signals }))) continue
      report.dropped(lines.length)
      report.failed(result.detail)
      return
    }
  }
}
