import type { Delivery } from '../request/delivery.ts'
import { standardHeaders } from '../request/standard-headers.ts'
import type { SignatureOptions, SignatureScheme } from '../webhook.ts'

/** The signatures of a request. */
export interface SignatureOffer {
  /** All candidates; one valid signature is enough. */
  readonly signatures: readonly Uint8Array[]
  /** The signed bytes, in pieces. */
  readonly signed: readonly (string | Uint8Array)[]
  /** Seconds since the Unix epoch, as sent; `undefined` if the scheme has none. */
  readonly timestamp?: string
}

type Unreadable = 'signature_missing' | 'signature_malformed'
type Header = Delivery['header']
type OfferReader = (
  header: Header,
  body: Uint8Array,
  options: SignatureOptions,
) => SignatureOffer | Unreadable

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const
const wholeSeconds = /^\d{1,15}$/

/** Decodes a digest; returns none if it has another length. */
function decodeDigest(
  text: string,
  encoding: 'hex' | 'base64',
  length: number = digestBytes.sha256,
): readonly Uint8Array[] {
  const shape = encoding === 'hex' ? /^[\da-fA-F]+$/ : /^[\w+/-]+={0,2}$/
  if (text.length > 2 * length || !shape.test(text)) return []
  const digest = Buffer.from(text, encoding)
  return digest.length === length ? [digest] : []
}

/** Decodes the digests of those parts of a list that start with `prefix`. */
function decodeParts(
  parts: readonly string[],
  prefix: string,
  encoding: 'hex' | 'base64',
  length?: number,
): readonly Uint8Array[] {
  return parts
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .flatMap((part) => decodeDigest(part.slice(prefix.length), encoding, length))
}

/** The candidates of a header, which names several while its sender rotates a secret. A prefix may have separators itself. */
function candidatesIn(value: string, prefix: string): readonly string[] {
  if (!/[,\s]/.test(prefix)) return value.split(/[,\s]+/)
  const parts: string[] = []
  for (let at = 0; at < value.length; ) {
    const next = value.indexOf(prefix, at + 1)
    parts.push(value.slice(at, next < 0 ? undefined : next).replace(/[,\s]+$/, ''))
    at = next < 0 ? value.length : next
  }
  return parts
}

function offerOf(offer: SignatureOffer): SignatureOffer | Unreadable {
  const { signatures, timestamp } = offer
  const isReadable =
    signatures.length > 0 && (timestamp === undefined || wholeSeconds.test(timestamp))
  return isReadable ? offer : 'signature_malformed'
}

function readGithub(header: Header, body: Uint8Array): SignatureOffer | Unreadable {
  const value = header('x-hub-signature-256')
  if (value === undefined) return 'signature_missing'
  return offerOf({
    signatures: decodeParts(candidatesIn(value, 'sha256='), 'sha256=', 'hex'),
    signed: [body],
  })
}

function readGitea(header: Header, body: Uint8Array): SignatureOffer | Unreadable {
  const values = ['x-gitea-signature', 'x-forgejo-signature', 'x-gogs-signature']
    .map((name) => header(name))
    .flatMap((value) => (value === undefined ? [] : candidatesIn(value, '')))
  if (values.length === 0) return 'signature_missing'
  return offerOf({ signatures: decodeParts(values, '', 'hex'), signed: [body] })
}

function readStripe(header: Header, body: Uint8Array): SignatureOffer | Unreadable {
  const value = header('stripe-signature')
  if (value === undefined) return 'signature_missing'
  const parts = value.split(',')
  const [timestamp, ...others] = parts
    .map((part) => part.trim())
    .filter((part) => part.startsWith('t='))
    .map((part) => part.slice('t='.length))
  if (timestamp === undefined || others.length > 0) return 'signature_malformed'
  const signatures = decodeParts(parts, 'v1=', 'hex')
  return offerOf({ signatures, signed: [`${timestamp}.`, body], timestamp })
}

function readSlack(header: Header, body: Uint8Array): SignatureOffer | Unreadable {
  const value = header('x-slack-signature')
  const timestamp = header('x-slack-request-timestamp')
  if (value === undefined || timestamp === undefined) return 'signature_missing'
  const signatures = decodeParts(candidatesIn(value, 'v0='), 'v0=', 'hex')
  return offerOf({ signatures, signed: [`v0:${timestamp}:`, body], timestamp })
}

function readStandard(header: Header, body: Uint8Array): SignatureOffer | Unreadable {
  const sent = standardHeaders(header)
  if (sent === undefined) return 'signature_missing'
  const { id, timestamp, signature } = sent
  const signatures = decodeParts(signature.split(' '), 'v1,', 'base64')
  return offerOf({ signatures, signed: [`${id}.${timestamp}.`, body], timestamp })
}

function readShopify(header: Header, body: Uint8Array): SignatureOffer | Unreadable {
  const value = header('x-shopify-hmac-sha256')
  if (value === undefined) return 'signature_missing'
  return offerOf({ signatures: decodeParts(candidatesIn(value, ''), '', 'base64'), signed: [body] })
}

/** Without a `prefix`, the name of the hash may stand before a signature, as `sha256=…`: many senders write it. */
function withoutHashName(part: string, { prefix, algorithm }: SignatureOptions): string {
  return prefix === '' && part.startsWith(`${algorithm}=`) ? part.slice(algorithm.length + 1) : part
}

function readHmac(
  header: Header,
  body: Uint8Array,
  options: SignatureOptions,
): SignatureOffer | Unreadable {
  const { prefix, encoding, algorithm, timestamp_header: timestampHeader } = options
  const value = header(options.header.toLowerCase())
  if (value === undefined) return 'signature_missing'
  const timestamp =
    timestampHeader === undefined ? undefined : header(timestampHeader.toLowerCase())
  if (timestampHeader !== undefined && timestamp === undefined) return 'signature_missing'
  const signed = options.signed.split(/(\{body\}|\{timestamp\})/).map((piece) => {
    if (piece === '{body}') return body
    return piece === '{timestamp}' ? (timestamp ?? '') : piece
  })
  const parts = candidatesIn(value, prefix).map((part) => withoutHashName(part, options))
  const signatures = decodeParts(parts, prefix, encoding, digestBytes[algorithm])
  return offerOf({ signatures, signed, ...(timestamp === undefined ? {} : { timestamp }) })
}

const readers: Readonly<Record<Exclude<SignatureScheme, 'gitlab-token'>, OfferReader>> = {
  github: readGithub,
  gitea: readGitea,
  stripe: readStripe,
  slack: readSlack,
  standard: readStandard,
  shopify: readShopify,
  hmac: readHmac,
}

const headerNames: Readonly<Record<Exclude<SignatureScheme, 'hmac'>, readonly string[]>> = {
  github: ['X-Hub-Signature-256'],
  gitea: ['X-Gitea-Signature', 'X-Forgejo-Signature', 'X-Gogs-Signature'],
  'gitlab-token': ['X-Gitlab-Token'],
  stripe: ['Stripe-Signature'],
  slack: ['X-Slack-Signature', 'X-Slack-Request-Timestamp'],
  standard: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  shopify: ['X-Shopify-Hmac-Sha256'],
}

/** The headers in which a sender signs, for the log. */
export function signatureHeaders({
  scheme,
  header,
  timestamp_header,
}: SignatureOptions): readonly string[] {
  if (scheme !== 'hmac') return headerNames[scheme]
  return timestamp_header === undefined ? [header] : [header, timestamp_header]
}

/** Reads the signatures of a request from the headers of the scheme. */
export function readOffer(
  scheme: keyof typeof readers,
  options: SignatureOptions,
  header: Header,
  body: Uint8Array,
): SignatureOffer | Unreadable {
  return readers[scheme](header, body, options)
}
