import type { WholeNumber } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../crypto/secret.ts'
import type { HttpConfig } from '../../http-client/http-config.ts'
import type { SendRequest } from '../../http-client/send-request.ts'
import { detailsWithout, secretsOfUrl } from '../../http-client/without-secrets.ts'
import type { Clock } from '../../time/clock.ts'
import { pause } from '../dispatch/pace/pause.ts'
import { attempt, jsonPost } from '../receivers/attempt/attempt.ts'
import type { NotifyResult } from '../receivers/notifier.ts'
import {
  closeWithinMs,
  type EventOutput,
  type EventOutputReport,
  mostWaiting,
} from './event-output.ts'

/** The ports of {@link createWebhookOutput}. */
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

const mostWorkers = 64
const mostRetries = 20
const longestBackoffMs = 60_000

const noActivity = { pause: () => () => {} }

/**
 * Creates an output that posts each event, or batches of them, to a URL. A few requests run at once; a request that may succeed
 * later is repeated, the others are dropped.
 *
 * Unconfirmed: the body of a batch is assumed to be a JSON array; an answer with 429 or from 500 on, or none, is worth a retry;
 * each pause is twice as long as the one before.
 */
export function createWebhookOutput(
  settings: WebhookOutputSettings,
  { clock, ...ports }: WebhookOutputPorts,
  report: EventOutputReport,
): EventOutput {
  const url = settings.url?.reveal() ?? ''
  const places = Math.min(Math.max(1, Number(settings.workers)), mostWorkers)
  const retries = Math.min(Math.max(0, Number(settings.max_retries)), mostRetries)
  const { batch, batch_flush_interval: flushMs } = settings
  const batchEvents = batch ? Math.max(1, Number(settings.batch_max_events)) : 1
  const ended = new AbortController()
  const signals = [ended.signal]
  const running = new Set<Promise<void>>()
  let lines: string[] = []
  let length = 0
  let isClosed = false
  let cancelFlush: (() => void) | undefined

  const post = (body: string): Promise<NotifyResult> =>
    attempt({ clock, ...ports }, jsonPost(url, body), {
      http: settings.http_config,
      signal: ended.signal,
      timeoutMs: settings.timeout,
      retryOn: [429],
      detailsOf: (answer) => detailsWithout(secretsOfUrl(url))(answer),
    })

  const deliver = async (taken: readonly string[]): Promise<void> => {
    const body = batch ? `[${taken.join(',')}]` : taken.join('')
    for (let retry = 0; ; retry++) {
      const result = await post(body)
      if (result.outcome === 'sent') {
        report.written(Buffer.byteLength(body))
        report.worked()
        return
      }
      const backoffMs = Math.min(settings.retry_backoff * 2 ** retry, longestBackoffMs)
      const waitMs = Math.min(Math.max(backoffMs, result.retryAfterMs ?? 0), longestBackoffMs)
      const mayRetry = result.outcome === 'retry' && retry < retries
      if (mayRetry && (await pause(waitMs, { clock, activity: noActivity, signals }))) continue
      report.dropped(taken.length)
      report.failed(result.detail)
      return
    }
  }

  /** The events of the next request. */
  const take = (): readonly string[] => {
    let count = 1
    let bytes = lines[0]?.length ?? 0
    while (count < Math.min(batchEvents, lines.length)) {
      bytes += 1 + (lines[count]?.length ?? 0)
      if (bytes > settings.batch_max_bytes) break
      count++
    }
    const taken = lines.splice(0, count)
    length -= taken.reduce((sum, line) => sum + line.length, 0)
    return taken
  }

  const isBatchFull = (): boolean =>
    lines.length >= batchEvents || length >= settings.batch_max_bytes

  /** Starts requests while there are places and events. */
  const start = (): void => {
    while (lines.length > 0 && running.size < places) {
      const work: Promise<void> = deliver(take())
        .catch((error: unknown) => report.failed(String(error)))
        .finally(() => {
          running.delete(work)
          startSoon()
        })
      running.add(work)
    }
  }

  const startSoon = (): void => {
    if (!batch || isClosed || isBatchFull()) {
      start()
      return
    }
    if (lines.length === 0) return
    cancelFlush ??= clock.setTimer(flushMs, () => {
      cancelFlush = undefined
      start()
    })
  }

  return {
    add(line) {
      if (isClosed || length + line.length > mostWaiting) {
        report.dropped(1)
        return
      }
      lines.push(line)
      length += line.length
      startSoon()
    },

    get waiting() {
      return lines.length
    },

    async close() {
      isClosed = true
      cancelFlush?.()
      const cancel = clock.setTimer(closeWithinMs, () => {
        ended.abort(new DOMException('the event recorder ends', 'AbortError'))
        report.dropped(lines.length)
        lines = []
      })
      start()
      while (running.size > 0) await Promise.all(running)
      cancel()
    },
  }
}
