import { hmacOf } from '../../crypto/crypto.ts'
import { publicKeyKind, signWith } from '../../crypto/public-key.ts'
import { Secret } from '../../crypto/secret.ts'
import { GatehouseError } from '../../errors.ts'
import { anyText, decodeInput, exactly, numberFrom, optional, rawText } from '../../input/decode.ts'
import { refuse } from '../../input/refusal.ts'
import type { Instant } from '../../time/clock.ts'
import { hmacHashOf, keyOf } from '../access/signature.ts'
import { isInFormat, signedPieces } from '../access/signature-offer.ts'
import { parseJsonText } from '../body/json-text.ts'
import type { Delivery } from '../request/delivery.ts'
import type { Sender, SignatureFormat, SignaturePlace } from '../webhook.ts'
import { senderInput } from './define-sender.ts'

/** What {@link signDelivery} signs, and with what. */
export interface DeliveryToSign {
  readonly body: Uint8Array
  /** The secret; of a sender with public keys, a private key in PEM. */
  readonly key: string
  /** The URL as the sender knows it, if it signs that. */
  readonly url?: string
  /** For whom the sender signs, if it signs that. */
  readonly audience?: string
  /** Where the sender has its certificate, if it has one and the body does not say where. */
  readonly certificateUrl?: string
  /** The time of the signature. */
  readonly now: Instant
  /** The id of the delivery, if it is signed (default `msg_test`). */
  readonly id?: string
}

/** A delivery as its sender would send it. */
export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>
  /** The given bytes, unless the sender signs inside of the body. */
  readonly body: Uint8Array
}

const decodeDelivery = exactly<DeliveryToSign>({
  body: (value) => (value instanceof Uint8Array ? value : refuse('bytes', value)),
  key: anyText,
  now: numberFrom(0),
  url: optional(rawText),
  audience: optional(rawText),
  certificateUrl: optional(rawText),
  id: optional(rawText),
})

const invalid = (message: string): GatehouseError =>
  new GatehouseError('Invalid', 'InvalidInput', message)

/**
 * Signs a delivery as a sender does, to try a webhook. A sender that signs nothing adds nothing.
 *
 * @throws {GatehouseError} `InvalidInput` if the key, the URL or the body does not suit the sender.
 */
export function signDelivery(sender: Sender, delivery: DeliveryToSign): SignedDelivery {
  const { signatures } = decodeInput('sender', senderInput, sender)
  return signInFormat(signatures, decodeInput('delivery', decodeDelivery, delivery))
}

/** Signs in the first of these formats that the delivery is in. Without formats nothing is added. */
export function signInFormat(
  formats: readonly SignatureFormat[],
  given: DeliveryToSign,
): SignedDelivery {
  const draft = new Draft(given.body)
  const format = formats.find((one) => isInFormat(one, draft.delivery())) ?? formats.at(-1)
  if (format === undefined) return { headers: {}, body: given.body }
  const { signature, timestamp, id, when = [], certificate } = format
  if (format.signed.includes('{parameters}')) {
    draft.put({ header: 'Content-Type' }, 'application/x-www-form-urlencoded')
  }
  for (const place of when) if ('is' in place) draft.put(place, place.is)
  if (certificate !== undefined && given.certificateUrl !== undefined) {
    draft.put(certificate.url, given.certificateUrl)
  }
  if (timestamp !== undefined) draft.put(timestamp, timeText(timestamp.unit, given.now))
  if (id !== undefined) draft.put(id, given.id ?? 'msg_test')
  const proof = format.algorithm === 'token' ? given.key : signatureOf(format, draft, given)
  draft.put(signature, proof)
  return { headers: draft.headers, body: draft.body }
}

function timeText(unit: NonNullable<SignatureFormat['timestamp']>['unit'], now: Instant): string {
  if (unit === 'iso') return new Date(now).toISOString()
  if (unit === 'http') return new Date(now).toUTCString()
  return `${unit === 'ms' ? now : Math.floor(now / 1_000)}`
}

function signatureOf(format: SignatureFormat, draft: Draft, given: DeliveryToSign): string {
  const { algorithm, encoding } = format
  const { url, audience } = given
  const pieces = signedPieces(format, { url, audience }, draft.delivery(), draft.body)
  if (pieces === undefined) {
    throw invalid(`a part of what is signed is missing: ${format.signed}`)
  }
  const hash = hmacHashOf(algorithm)
  if (hash !== undefined) {
    return hmacOf(hash, keyOf(format, new Secret(given.key)), pieces).toString(encoding)
  }
  if (publicKeyKind(algorithm) === undefined || algorithm === 'token')
    throw invalid('nothing to sign')
  try {
    // Not an HMAC and not a token.
    return signWith(given.key, algorithm as Parameters<typeof signWith>[1], pieces).toString(
      encoding,
    )
  } catch (cause) {
    throw new GatehouseError(
      'Invalid',
      'InvalidInput',
      `the key must be a private key for ${algorithm}, in PEM`,
      { cause },
    )
  }
}

/** A delivery while its proof is written. */
class Draft {
  readonly headers: Record<string, string> = {}
  body: Uint8Array

  constructor(body: Uint8Array) {
    this.body = body
  }

  /** Writes a text at its place. Parts of one header are separated by commas. */
  put(place: SignaturePlace, text: string): void {
    if ('field' in place) this.body = withMember(this.body, place.field, text)
    else {
      const part = `${place.prefix ?? ''}${text}`
      const before = this.headers[place.header]
      this.headers[place.header] = before === undefined ? part : `${before},${part}`
    }
  }

  /** What the sender has signed so far, as its receiver reads it. */
  delivery(): Delivery {
    const headers = new Map(
      Object.entries(this.headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    return {
      id: '',
      token: undefined,
      body: jsonOf(this.body),
      files: new Map(),
      rawBody: this.body,
      isBodyRebuilt: false,
      method: 'POST',
      header: (name) => headers.get(name.toLowerCase()),
      query: () => undefined,
      headers: () => headers,
      search: '',
      clientAddress: undefined,
      clientPort: undefined,
      requestId: '',
      trust: 'unchecked',
      hold: { release() {} },
    }
  }
}

const maxDepth = 64

/** The body below `data`; of one that is not JSON, nothing. */
function jsonOf(body: Uint8Array): Delivery['body'] {
  try {
    const { text, value } = parseJsonText(Buffer.from(body).toString(), maxDepth)
    return { text: `{"data":${text}}`, value: { data: value } }
  } catch {
    return { text: '{}', value: {} }
  }
}

/** The JSON with a text, or a number for a text of digits that replaces one, at a path below `data`. */
function withMember(body: Uint8Array, field: string, text: string): Uint8Array {
  const names = field.split('.').slice(1)
  const last = names.pop()
  const root: unknown = jsonOf(body).value
  const value: unknown = Object(root).data
  let parent: unknown = value
  for (const name of names) parent = Object(parent)[name]
  if (last === undefined || typeof parent !== 'object' || parent === null) {
    throw invalid(`the body has no place for ${field}`)
  }
  const isNumber = typeof Reflect.get(parent, last) === 'number'
  Object.defineProperty(parent, last, {
    value: isNumber ? Number(text) : text,
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return Buffer.from(JSON.stringify(value))
}
