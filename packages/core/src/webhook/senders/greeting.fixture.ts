import { greetSender, greetStranger } from '../access/greet-sender.ts'
import { parseJsonText } from '../body/json-text.ts'
import { sampleDelivery } from '../request/delivery.fixture.ts'
import type { HandshakeAnswer, Webhook } from '../webhook.ts'

/** A request that may be a handshake. */
export interface Greeted {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** A delivery that proved itself; without it, a request of a stranger. */
  readonly body?: object
}

/** The answer to a request, if it is a handshake. */
export function receiveGreeting(
  webhook: Webhook,
  { method = 'POST', headers = {}, query = {}, body }: Greeted,
): HandshakeAnswer | undefined {
  const delivery = { ...sampleDelivery({ headers, query }), method }
  if (body === undefined) return greetStranger(webhook, delivery)
  const json = parseJsonText(JSON.stringify({ data: body }), 64)
  return greetSender(webhook, { ...delivery, body: json })
}
