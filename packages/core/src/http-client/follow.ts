import { memoize } from '../async/memoize.ts'
import { parseUrl } from '../http/parse-url.ts'
import type { Connection } from './agents.ts'
import { clientError } from './errors.ts'
import { type Hop, nextHop } from './redirect.ts'
import { headersOf, type Identity, type RequestHeaders } from './request-headers.ts'
import type { OutgoingAnswer, OutgoingRequest } from './send-request.ts'
import type { Transport } from './transport.ts'

/** A request with its connection and credentials. */
export interface Delivery {
  readonly request: OutgoingRequest
  readonly headers: RequestHeaders
  readonly identity: Identity
  readonly connection: Connection
  readonly followRedirects: boolean
  readonly signal: AbortSignal
}

/** The most requests that one request may become by redirects. @see https://pkg.go.dev/net/http#Client */
const maxHops = 10

/**
 * Sends a request, and follows redirects.
 *
 * @throws {GatehouseError} `NotAnswered` after too many redirects.
 */
export async function follow(transport: Transport, delivery: Delivery): Promise<OutgoingAnswer> {
  const { request, headers, identity, connection, followRedirects, signal } = delivery
  const first = readUrl(request.url)
  let hop: Hop = { method: request.method, url: first, body: request.body, isTrusted: true }
  for (let sent = 1; ; sent++) {
    const { method, url, body } = hop
    const onWire = {
      method,
      url: withoutCredentials(url),
      body,
      headers: headersOf(hop, headers, identity),
      maxAnswerBytes: request.maxAnswerBytes,
    }
    const answer = await transport.exchange(onWire, connection, signal)
    const next = followRedirects ? nextHop(hop, first, answer) : undefined
    if (next === undefined) return answer.read()
    await answer.discard()
    if (sent === maxHops) throw clientError('NotAnswered', `stopped after ${maxHops} redirects`)
    hop = next
  }
}

/** A template may put labels into a URL, and clients choose their length. */
const maxKeptLength = 2_048

/** Most requests go to the few URLs of a configuration, which are never modified. */
const readUrl: (text: string) => URL = memoize(
  (text) => {
    const url = parseUrl(text)
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
    throw clientError('NotAnswered', 'the URL must be http or https')
  },
  100,
  maxKeptLength,
)

/** The username and the password of a URL are sent as a header. */
function withoutCredentials(url: URL): URL {
  if (url.username === '' && url.password === '') return url
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare
}
