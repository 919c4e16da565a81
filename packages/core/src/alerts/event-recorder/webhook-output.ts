import { batchSize } from './batch.ts'
import {
  closeWithinMs,
  type EventOutput,
  type EventOutputReport,
  maxWaiting,
} from './event-output.ts'
import {
  createWebhookDelivery,
  type WebhookOutputPorts,
  type WebhookOutputSettings,
} from './webhook-delivery.ts'

const maxWorkers = 64

/**
 * Creates an output that posts each event, or batches of them, to a URL. A few requests run at once; a request that may succeed
 * later is repeated, the others are dropped.
 *
 * Unconfirmed: the body of a batch is assumed to be a JSON array; an answer with 429 or from 500 on, or none, is worth a retry;
 * each pause is twice as long as the one before.
 */
export function createWebhookOutput(
  settings: WebhookOutputSettings,
  ports: WebhookOutputPorts,
  report: EventOutputReport,
): EventOutput {
  const places = Math.min(Math.max(1, Number(settings.workers)), maxWorkers)
  const { batch, batch_flush_interval: flushMs } = settings
  const limits = {
    events: batch ? Math.max(1, Number(settings.batch_max_events)) : 1,
    bytes: Number(settings.batch_max_bytes),
  }
  const ended = new AbortController()
  const deliver = createWebhookDelivery(settings, { ...ports, report, signal: ended.signal })
  const running = new Set<Promise<void>>()
  let lines: string[] = []
  let length = 0
  let isClosed = false
  let cancelFlush: (() => void) | undefined

  /** The events of the next request. */
  const take = (): readonly string[] => {
    const taken = lines.splice(0, batchSize(lines, limits))
    length -= taken.reduce((sum, line) => sum + line.length, 0)
    return taken
  }

  const isBatchFull = (): boolean => lines.length >= limits.events || length >= limits.bytes

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
    cancelFlush ??= ports.clock.setTimer(flushMs, () => {
      cancelFlush = undefined
      start()
    })
  }

  return {
    add(line) {
      if (isClosed || length + line.length > maxWaiting) {
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
      const cancel = ports.clock.setTimer(closeWithinMs, () => {
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
