import { crc32 } from 'node:zlib'
import { hashBytes } from '../../crypto/crypto.ts'
import type { Instant } from '../../time/clock.ts'
import type { Delivery } from '../request/delivery.ts'
import { parseSource, readSource } from '../request/source.ts'
import type {
  SignatureAlgorithm,
  SignatureFormat,
  SignatureOptions,
  SignaturePlace,
} from '../webhook.ts'
import { sortedParameters } from './sorted-parameters.ts'

/** The proof of a request. */
export interface SignatureOffer {
  readonly format: SignatureFormat
  /** All candidates; one valid signature is enough. */
  readonly signatures: readonly Uint8Array[]
  /** The signed bytes, in pieces. */
  readonly signed: readonly (string | Uint8Array)[]
  /** As sent; `undefined` if the format has none. */
  readonly timestamp: string | undefined
  /** An allowed one; `undefined` if the format has no certificate. */
  readonly certificateUrl: string | undefined
}

type Unreadable = 'signature_missing' | 'signature_malformed' | 'certificate_not_allowed'

/** The most signatures of one request, each of which is tried with each key. */
const maxCandidates = 8

/** In bytes, from and to. A signature of RSA is as long as its key. */
const lengths: Readonly<Record<SignatureAlgorithm, readonly [least: number, most: number]>> = {
  token: [1, 4_096],
  'hmac-sha1': [20, 20],
  'hmac-sha256': [32, 32],
  'hmac-sha512': [64, 64],
  ed25519: [64, 64],
  'ecdsa-sha256': [8, 144],
  'ecdsa-sha512': [8, 144],
  'rsa-sha1': [128, 1_024],
  'rsa-sha256': [128, 1_024],
  'rsa-sha512': [128, 1_024],
}

/** Decodes a signature; returns none if it has another length. */
function decodeSignature(
  text: string,
  { algorithm, encoding }: SignatureFormat,
): readonly Uint8Array[] {
  const [least, most] = lengths[algorithm]
  const shape = encoding === 'hex' ? /^[\da-fA-F]+$/ : /^[\w+/-]+={0,2}$/
  if (text.length > 2 * most || !shape.test(text)) return []
  const bytes = Buffer.from(text, encoding)
  return bytes.length >= least && bytes.length <= most ? [bytes] : []
}

/** The parts of a header, which names several signatures while its sender rotates a secret. A prefix may have separators itself. */
function partsOf(value: string, prefix: string): readonly string[] {
  if (!/[,\s]/.test(prefix)) return value.split(/[,\s]+/)
  const parts: string[] = []
  for (let at = 0; at < value.length; ) {
    const next = value.indexOf(prefix, at + 1)
    const part = value.slice(at, next < 0 ? undefined : next).replace(/[,\s]+$/, '')
    parts.push(/\s/.test(prefix) ? part : part.replace(/\s.*$/s, ''))
    at = next < 0 ? value.length : next
  }
  return parts
}

/** The parts that begin with the prefix, without it. */
function textsIn(value: string, prefix: string): readonly string[] {
  return partsOf(value, prefix)
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length))
}

/** Without a prefix, the name of the hash may stand before a signature, as `sha256=…`: many senders write it. */
function withoutHashName(text: string, { signature, algorithm }: SignatureFormat): string {
  const hasPrefix = 'header' in signature && (signature.prefix ?? '') !== ''
  const name = hasPrefix || !algorithm.startsWith('hmac-') ? '' : `${algorithm.slice(5)}=`
  return text.startsWith(name) ? text.slice(name.length) : text
}

/** The value of a place; `undefined` if the request does not have it. */
function valueAt(place: SignaturePlace, delivery: Delivery, now: Instant): string | undefined {
  return 'header' in place
    ? delivery.header(place.header.toLowerCase())
    : readSource(parseSource(place.field), delivery, now)
}

/** The one text at a place; `undefined` if there is none, or if there are several. */
function textAt(place: SignaturePlace, delivery: Delivery, now: Instant): string | undefined {
  const value = valueAt(place, delivery, now)
  if (value === undefined || !('header' in place) || place.prefix === undefined) return value
  const [text, ...others] = textsIn(value, place.prefix)
  return others.length === 0 ? text : undefined
}

const mark =
  /(\{(?:body|crc32|sha256|timestamp|id|url&?|audience|parameters|header:[^{}]+|data\.[^{}]+)\})/

/** The texts between the marks of a signed text, and the marks with their braces. */
const piecesOf = (signed: string): readonly string[] =>
  signed.split(mark).filter((piece) => piece !== '')

/** A body that is read as something else must not pass for the parameters that were signed. */
const isForm = (delivery: Delivery): boolean =>
  /^application\/x-www-form-urlencoded *(?:;|$)/i.test(delivery.header('content-type') ?? '')

/** What is signed, but not in the request. */
export type SignedFacts = Pick<SignatureOptions, 'url' | 'audience'>

/** The bytes and texts that the pieces of a signed text stand for; `undefined` if a part of the request is missing. */
export function signedPieces(
  { signed, id, timestamp }: SignatureFormat,
  { url, audience }: SignedFacts,
  delivery: Delivery,
  body: Uint8Array,
): readonly (string | Uint8Array)[] | undefined {
  const found = (place: SignaturePlace | undefined): string | undefined =>
    place === undefined ? undefined : textAt(place, delivery, 0)
  const pieces = piecesOf(signed).map((piece) => {
    if (!mark.test(piece)) return piece
    const name = piece.slice(1, -1)
    if (name === 'body') return body
    if (name === 'timestamp') return found(timestamp)
    if (name === 'id') return found(id)
    if (name === 'crc32') return `${crc32(body)}`
    if (name === 'sha256') return hashBytes('sha256', body).toString('hex')
    if (name === 'url') return url
    if (name === 'url&') return url && `${url}${url.includes('?') ? '&' : '?'}`
    if (name === 'audience') return audience
    if (name === 'parameters') return isForm(delivery) ? sortedParameters(body) : undefined
    return name.startsWith('header:')
      ? found({ header: name.slice('header:'.length) })
      : found({ field: name })
  })
  return pieces.includes(undefined) ? undefined : (pieces as readonly (string | Uint8Array)[])
}

/** The places of a format that a delivery must have, before anything is decoded. */
function placesOf(format: SignatureFormat): readonly SignaturePlace[] {
  const { signature, id, timestamp, certificate } = format
  // A time in the body is looked for once the body is proven.
  const isEarly = timestamp !== undefined && 'header' in timestamp
  return [
    signature,
    ...(id === undefined ? [] : [id]),
    ...(isEarly ? [timestamp] : []),
    ...(certificate === undefined ? [] : [certificate.url]),
  ]
}

/** Whether a delivery has what tells this format from the others of its sender: the texts of `when`, and the signed members. */
export function isInFormat({ when, signed }: SignatureFormat, delivery: Delivery): boolean {
  if (when === undefined) return true
  const members = [...signed.matchAll(/\{(data\.[^{}]+)\}/g)].map(([, field = '']) => ({ field }))
  return (
    when.every((one) =>
      'query' in one
        ? delivery.query(one.query) !== undefined
        : valueAt(one, delivery, 0) === one.is,
    ) && members.every((place) => valueAt(place, delivery, 0) !== undefined)
  )
}

/** The headers in which a sender signs, for the log. */
export function signatureHeaders({ formats }: SignatureOptions): readonly string[] {
  const names = formats.flatMap(placesOf).map((at) => ('header' in at ? at.header : at.field))
  return [...new Set(names)]
}

/** Reads the proof of a request in the first format that it is complete in. */
export function readOffer(
  options: SignedFacts & Pick<SignatureOptions, 'formats'>,
  delivery: Delivery,
  body: Uint8Array,
): SignatureOffer | Unreadable {
  const format = options.formats.find(
    (one) =>
      placesOf(one).every((place) => valueAt(place, delivery, 0) !== undefined) &&
      isInFormat(one, delivery),
  )
  return format === undefined ? 'signature_missing' : offerIn(format, options, delivery, body)
}

function offerIn(
  format: SignatureFormat,
  facts: SignedFacts,
  delivery: Delivery,
  body: Uint8Array,
): SignatureOffer | Unreadable {
  const { signature, timestamp: time } = format
  const value = valueAt(signature, delivery, 0) ?? ''
  if (format.algorithm === 'token') {
    const nothing = { signed: [], timestamp: undefined, certificateUrl: undefined }
    return { format, signatures: [Buffer.from(value)], ...nothing }
  }
  const texts = 'header' in signature ? textsIn(value, signature.prefix ?? '') : [value]
  const signatures = texts
    .map((text) => withoutHashName(text, format))
    .flatMap((text) => decodeSignature(text, format))
    .slice(0, maxCandidates)
  const timestamp = time === undefined ? undefined : textAt(time, delivery, 0)
  const signed = signedPieces(format, facts, delivery, body)
  const isTimed = time === undefined || !('header' in time) || timestamp !== undefined
  if (signatures.length === 0 || !isTimed || signed === undefined) return 'signature_malformed'
  const { certificate } = format
  const certificateUrl = certificate && valueAt(certificate.url, delivery, 0)
  if (certificate !== undefined && !certificate.allowed.test(certificateUrl ?? '')) {
    return 'certificate_not_allowed'
  }
  return { format, signatures, signed, timestamp, certificateUrl }
}
