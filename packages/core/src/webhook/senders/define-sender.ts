import { publicKeyKind } from '../../crypto/public-key.ts'
import { GatehouseError } from '../../errors.ts'
import {
  type Decode,
  decodeInput,
  exactly,
  filledText,
  flag,
  functionLike,
  listOf,
  oneOf,
  optional,
  rawText,
  recordOf,
  wholeFrom,
} from '../../input/decode.ts'
import { refuse } from '../../input/refusal.ts'
import { parseSource } from '../request/source.ts'
import {
  bodyFormats,
  type FormRules,
  type Handshake,
  type Sender,
  type SignatureFormat,
  type SignaturePlace,
  type SigningCertificatePlace,
  signatureAlgorithms,
} from '../webhook.ts'

/** What {@link defineSender} takes. */
export interface SenderDefinition extends Partial<Pick<Sender, 'signatures' | 'settings'>> {
  /** As configurations name it: lower-case letters, digits and dashes. */
  readonly name: string
  /** A source whose value repeats of one delivery share, such as `header:X-Delivery` (default: none). */
  readonly dedupe?: string
  /** Answers deliveries that proved themselves, and so run nothing. */
  readonly handshake?: Sender['handshake']
  /** Answers requests of any method that prove nothing, and so run nothing. It must not reveal a secret. */
  readonly openHandshake?: Sender['openHandshake']
}

const decodeField = exactly<{ field: string }>({ field: filledText })
const decodeHeader = exactly<{ header: string; prefix?: string }>({
  header: filledText,
  prefix: optional(rawText),
})

const place: Decode<SignaturePlace> = (value) =>
  Object.hasOwn(Object(value), 'field') ? decodeField(value) : decodeHeader(value)

const timed: Decode<NonNullable<SignatureFormat['timestamp']>> = (value) => {
  const { unit: written, ...others } = anyObject(value)
  return { ...place(others), unit: oneOf(['s', 'ms', 'either', 'iso', 'http'])(written) }
}

const decodeQuery = exactly<{ query: string }>({ query: filledText })

const condition: Decode<NonNullable<SignatureFormat['when']>[number]> = (value) => {
  if (Object.hasOwn(Object(value), 'query')) return decodeQuery(value)
  const { is: written, ...others } = anyObject(value)
  return { ...place(others), is: filledText(written) }
}

/** An expression that only whole URLs match. */
const httpsUrls: Decode<RegExp> = (value) => {
  const isWhole =
    value instanceof RegExp && value.flags === '' && /^\^https:\\\/\\\/[^|]+\$$/.test(value.source)
  return isWhole
    ? value
    : refuse('a RegExp without flags for whole URLs, such as /^https:…$/', value)
}

const anyObject: Decode<Readonly<Record<string, unknown>>> = recordOf((value) => value)

const decodeFormat = exactly<SignatureFormat>({
  algorithm: oneOf(signatureAlgorithms),
  signature: place,
  encoding: oneOf(['hex', 'base64']),
  signed: rawText,
  id: optional(place),
  timestamp: optional(timed),
  key: optional(oneOf(['text', 'base64'])),
  when: optional(listOf(condition)),
  certificate: optional(exactly<SigningCertificatePlace>({ url: place, allowed: httpsUrls })),
})

const formRules = exactly<FormRules>({
  data: optional(filledText),
  or_fields: flag,
  json: listOf(filledText),
  nested: flag,
})

const decodeSettings = exactly<Sender['settings']>({
  accept: optional(listOf(oneOf(bodyFormats))),
  form: optional(formRules),
  max_body_bytes: optional(wholeFrom(1)),
  mode: optional(oneOf(['sync', 'async', 'stream'])),
  response: optional(oneOf(['json', 'text', 'empty'])),
})

const decodeDefinition = exactly<SenderDefinition>({
  name: filledText,
  signatures: optional(listOf(decodeFormat)),
  settings: optional(decodeSettings),
  dedupe: optional(filledText),
  handshake: optional(functionLike<Handshake>('a function that answers a handshake')),
  openHandshake: optional(functionLike<Handshake>('a function that answers a handshake')),
})

const invalid = (name: string, problem: string): GatehouseError =>
  new GatehouseError('Invalid', 'InvalidInput', `the sender ${JSON.stringify(name)} ${problem}`)

/**
 * Describes a sender, so that webhooks can name it: how its deliveries are signed and what its service expects.
 *
 * @throws {GatehouseError} `InvalidInput` if a signature would not cover what is delivered; `bad_path` for an invalid source.
 * @example
 * const acme = defineSender({
 *   name: 'acme',
 *   signatures: [
 *     {
 *       algorithm: 'hmac-sha256',
 *       signature: { header: 'X-Acme-Signature', prefix: 'v1=' },
 *       encoding: 'hex',
 *       signed: '{timestamp}.{body}',
 *       timestamp: { header: 'X-Acme-Time', unit: 's' },
 *     },
 *   ],
 *   dedupe: 'header:X-Acme-Delivery',
 * })
 */
export function defineSender(given: SenderDefinition): Sender {
  const definition = decodeInput('sender', decodeDefinition, given)
  const { name, signatures = [], settings = {}, dedupe, handshake, openHandshake } = definition
  if (!/^[a-z][a-z\d-]{0,63}$/.test(name)) {
    throw invalid(name, 'needs a name of lower-case letters, digits and dashes')
  }
  for (const format of signatures) {
    const problem = formatProblem(format)
    if (problem !== undefined) throw invalid(name, problem)
  }
  const from =
    dedupe === undefined || dedupe === 'standard_id'
      ? dedupe && ({ kind: 'standard_id' } as const)
      : parseSource(dedupe)
  const sender = Object.freeze({
    name,
    signatures,
    settings,
    dedupe: from,
    handshake,
    openHandshake,
  })
  defined.add(sender)
  return sender
}

/** Only these were checked. */
const defined = new WeakSet<object>()

/** Decodes a sender, which {@link defineSender} made. */
export const senderInput: Decode<Sender> = (value) =>
  typeof value === 'object' && value !== null && defined.has(value)
    ? // Made above.
      (value as Sender)
    : refuse('a sender made by defineSender', value)

/** Why a format proves too little. */
function formatProblem(format: SignatureFormat): string | undefined {
  const { algorithm, signature, signed, id, timestamp, when = [], certificate } = format
  for (const place of [signature, id, timestamp, ...when, certificate?.url]) checkPlace(place)
  if (certificate !== undefined && publicKeyKind(algorithm) === undefined) {
    return `has a certificate, which ${algorithm} does not use`
  }
  if (algorithm === 'token') {
    return timestamp === undefined ? undefined : 'has a time that no signature covers'
  }
  // A signature inside of the body cannot cover all of it.
  const isWhole = /\{(?:body|crc32|sha256|parameters)\}/.test(signed) || 'field' in signature
  if (!isWhole) return 'must sign {body} or {parameters}'
  if (signed.includes('{id}') && id === undefined) return 'signs {id}, but does not say where it is'
  if (signed.includes('{timestamp}')) {
    return timestamp === undefined ? 'signs {timestamp}, but does not say where it is' : undefined
  }
  return timestamp !== undefined && ('header' in timestamp || !signed.includes('{body}'))
    ? 'has a time that its signature does not cover'
    : undefined
}

function checkPlace(place: SignaturePlace | { readonly query: string } | undefined): void {
  if (place !== undefined && 'field' in place) parseSource(place.field)
}
