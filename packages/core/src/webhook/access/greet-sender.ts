import type { Delivery } from '../request/delivery.ts'
import { parseSource, readSource } from '../request/source.ts'
import type { Handshake, HandshakeAnswer, HandshakeRequest, Webhook } from '../webhook.ts'

/** A request that a handshake may be, with or without a body. */
export type Greeting = Pick<Delivery, 'method' | 'header' | 'query'> &
  Partial<Pick<Delivery, 'body'>>

/** The answer to a delivery that proved itself, if it is a ping or a challenge; `undefined` for others. */
export function greetSender(webhook: Webhook, delivery: Delivery): HandshakeAnswer | undefined {
  const read = (path: string): string | undefined => readSource(parseSource(path), delivery, 0)
  return answerOf(webhook.sender?.sender.handshake, webhook, delivery, read)
}

/** The answer to a request that proves nothing, if it only asks for the webhook; `undefined` for others. */
export function greetStranger(webhook: Webhook, request: Greeting): HandshakeAnswer | undefined {
  return answerOf(webhook.sender?.sender.openHandshake, webhook, request, () => undefined)
}

function answerOf(
  handshake: Handshake | undefined,
  { signature, sender }: Webhook,
  { method, header, query }: Greeting,
  value: HandshakeRequest['value'],
): HandshakeAnswer | undefined {
  return handshake?.({
    method,
    header,
    query,
    value,
    secrets: (signature?.secrets ?? []).map((secret) => secret.reveal()),
    verifyToken: sender?.verifyToken?.reveal(),
    audience: signature?.audience,
  })
}
