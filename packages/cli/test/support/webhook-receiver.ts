import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

/** The compared part of a notification's body. */
export interface WebhookBody {
  readonly receiver: string
  readonly status: string
  readonly alerts: readonly {
    readonly status: string
    readonly labels: Readonly<Record<string, string>>
    readonly fingerprint: string
  }[]
  readonly groupLabels: Readonly<Record<string, string>>
  readonly commonLabels: Readonly<Record<string, string>>
  readonly commonAnnotations: Readonly<Record<string, string>>
  readonly groupKey: string
  readonly truncatedAlerts: number
}

/** A notification that arrived. */
export interface ReceivedWebhook {
  /** When its body was complete, on the clock of `performance.now()`. */
  readonly at: number
  readonly path: string
  readonly body: WebhookBody
}

/** A server that receives notifications. */
export interface WebhookReceiver {
  /** `http://127.0.0.1:PORT`, for any path. */
  readonly url: string
  /** All notifications in the order of arrival. */
  readonly received: readonly ReceivedWebhook[]
  stop(): Promise<void>
}

/** Options of {@link startWebhookReceiver}. */
export interface WebhookReceiverOptions {
  /** The status of the response (default 200); `earlier` is the number of earlier notifications with this path and group. */
  answer?: (webhook: ReceivedWebhook, earlier: number) => number
  /** The delay of a response, in ms (default 0), or a function that returns it for a notification. */
  delayMs?: number | ((webhook: ReceivedWebhook) => number)
}

/** Listens on a port of 127.0.0.1. */
export async function startWebhookReceiver(
  options: WebhookReceiverOptions = {},
): Promise<WebhookReceiver> {
  const { answer = () => 200, delayMs = 0 } = options
  const received: ReceivedWebhook[] = []
  const counts = new Map<string, number>()

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return // the sender was killed before the body was complete
    }
    const body: WebhookBody = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const webhook = { at: performance.now(), path: request.url ?? '', body }
    received.push(webhook)
    const stream = `${webhook.path} ${body.groupKey}`
    const earlier = counts.get(stream) ?? 0
    counts.set(stream, earlier + 1)
    const ms = typeof delayMs === 'number' ? delayMs : delayMs(webhook)
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
    response.writeHead(answer(webhook, earlier)).end()
  })
  return {
    url: await listen(server),
    received,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return `http://127.0.0.1:${address.port}`
}
