import { type PublicKey, parsePublicKey, publicKeyKind } from '../../crypto/public-key.ts'
import { Secret } from '../../crypto/secret.ts'
import { duration } from '../../document/measures.ts'
import { secretText } from '../../document/outside-text.ts'
import {
  built,
  type Checking,
  checked,
  type Fields,
  filledListOf,
  filledText,
  mapping,
  oneOf,
  optional,
  type Report,
  required,
  type Schema,
  text,
  textLike,
  withDefault,
} from '../../document/schema.ts'
import { parseUrl } from '../../http/parse-url.ts'
import { gitea } from '../senders/gitea/sender.ts'
import { github } from '../senders/github/sender.ts'
import { gitlab } from '../senders/gitlab/sender.ts'
import { shopify } from '../senders/shopify/sender.ts'
import { slack } from '../senders/slack/sender.ts'
import { standard } from '../senders/standard/sender.ts'
import { stripe } from '../senders/stripe/sender.ts'
import type { Sender, SignatureFormat, SignatureOptions } from '../webhook.ts'
import { foreignSignatureKeys } from './foreign-keys.ts'
import { isHeaderName } from './headers.ts'
import { source, type WrittenSource } from './sources.ts'

/** The keys, and what does not depend on the format. */
export interface ProofParts {
  readonly secret: string | undefined
  readonly secrets: readonly string[] | undefined
  readonly public_key: string | undefined
  readonly public_keys: readonly string[] | undefined
  readonly tolerance: number
  readonly timestamp_source: WrittenSource | undefined
  readonly url: string | undefined
  readonly audience: string | undefined
}

const generalSchemes = ['hmac', 'ed25519', 'ecdsa', 'rsa'] as const
type GeneralScheme = (typeof generalSchemes)[number]

/** Schemes that are the formats of one sender. */
const schemeSenders: Readonly<Record<string, Sender>> = {
  github,
  gitea,
  'gitlab-token': gitlab,
  stripe,
  slack,
  standard,
  shopify,
}

interface SignatureParts extends ProofParts {
  readonly scheme: GeneralScheme | keyof typeof schemeSenders
  readonly header: string | undefined
  readonly field: WrittenSource | undefined
  readonly signed: string | undefined
  readonly id_header: string | undefined
  readonly timestamp_header: string | undefined
  readonly timestamp_unit: 's' | 'ms' | 'http' | undefined
  readonly algorithm: 'sha256' | 'sha512' | 'sha1' | undefined
  readonly encoding: SignatureFormat['encoding'] | undefined
  readonly prefix: string | undefined
}

const headerName = textLike(isHeaderName, 'the name of a header')

/** The fields of {@link ProofParts}. */
export const proofFields: Fields<ProofParts> = {
  secret: optional(secretText, 'The secret. Use this or `secrets`.'),
  secrets: optional(filledListOf(secretText), 'Several secrets, to rotate them.'),
  public_key: optional(
    secretText,
    'The public key of the sender: PEM, base64 of DER, or hex for Ed25519. Use this or `public_keys`.',
  ),
  public_keys: optional(filledListOf(secretText), 'Several public keys, to rotate them.'),
  tolerance: withDefault(
    duration({ isAge: true, takesSeconds: true }),
    '300s',
    'The largest difference of a timestamp to now.',
  ),
  timestamp_source: optional(
    source,
    'The place of a timestamp in the signed body, in seconds or milliseconds, such as `data.webhookTimestamp`.',
  ),
  url: optional(
    textLike(isHttpUrl, 'a URL that begins with https:// or http://'),
    'The URL exactly as the sender has it, for formats that sign it.',
  ),
  audience: optional(
    filledText,
    'For whom the sender signs, as it names this webhook: the ARN of a topic, or the id of a webhook. For formats that sign it.',
  ),
}

function isHttpUrl(given: string): boolean {
  return /^https?:\/\/\S+$/.test(given) && parseUrl(given) !== undefined
}

const signatureParts: Schema<SignatureParts> = mapping<SignatureParts>(
  {
    scheme: required(
      oneOf(...Object.keys(schemeSenders), ...generalSchemes),
      'The format of signatures: that of a sender, or the kind of key of one that the other keys describe.',
    ),
    ...proofFields,
    header: optional(
      headerName,
      'The header of the signature. A general scheme needs it, or `field`.',
    ),
    field: optional(
      source,
      'The member of the body that is the signature, such as `data.signature`. For general schemes.',
    ),
    signed: optional(
      filledText,
      'The signed text, with `{body}`, `{timestamp}`, `{id}`, `{url}`, `{parameters}`, `{header:NAME}` or a source such as `{data.id}` in it. For general schemes. Default: `{body}`.',
    ),
    id_header: optional(headerName, 'The header for `{id}`. For general schemes.'),
    timestamp_header: optional(
      headerName,
      'The header for `{timestamp}`, which must be in `signed`. For general schemes.',
    ),
    timestamp_unit: optional(
      oneOf('s', 'ms', 'http'),
      'The unit of `timestamp_header`; `http` is a date, as in the header `Date`. For general schemes. Default: `s`.',
    ),
    algorithm: optional(
      oneOf('sha256', 'sha512', 'sha1'),
      'The hash. For `hmac`, `ecdsa` and `rsa`. Default: `sha256`.',
    ),
    encoding: optional(
      oneOf('hex', 'base64'),
      'The encoding of the signature. For general schemes. Default: `hex`.',
    ),
    prefix: optional(
      text,
      'The text before the signature. For general schemes. Default: none, or, for `hmac`, the name of the hash, as in `sha256=`.',
    ),
  },
  { title: 'WebhookSignature', notes: foreignSignatureKeys },
)

/** The keys that describe a format; the schemes of senders have a fixed one. */
const generalKeys = [
  'header',
  'field',
  'signed',
  'id_header',
  'timestamp_header',
  'timestamp_unit',
  'algorithm',
  'encoding',
  'prefix',
] as const

const isGeneral = (scheme: string): scheme is GeneralScheme =>
  generalSchemes.some((one) => one === scheme)

/** What {@link formatsOf} reads. */
export type WrittenFormat = Pick<SignatureParts, 'scheme' | (typeof generalKeys)[number]>

/** The formats that a scheme means. */
export function formatsOf(given: WrittenFormat): readonly SignatureFormat[] {
  const { scheme, prefix } = given
  const sender = schemeSenders[scheme]
  if (sender !== undefined) return sender.signatures
  const signature =
    given.field === undefined
      ? { header: given.header ?? '', ...(prefix === undefined ? {} : { prefix }) }
      : { field: given.field.source }
  return [
    {
      algorithm: algorithmOf(scheme, given.algorithm ?? 'sha256'),
      signature,
      encoding: given.encoding ?? 'hex',
      signed: given.signed ?? '{body}',
      ...(given.id_header === undefined ? {} : { id: { header: given.id_header } }),
      ...(given.timestamp_header === undefined
        ? {}
        : { timestamp: { header: given.timestamp_header, unit: given.timestamp_unit ?? 's' } }),
    },
  ]
}

function algorithmOf(
  scheme: string,
  hash: 'sha256' | 'sha512' | 'sha1',
): SignatureFormat['algorithm'] {
  if (scheme === 'ed25519') return 'ed25519'
  if (scheme === 'ecdsa') return hash === 'sha512' ? 'ecdsa-sha512' : 'ecdsa-sha256'
  return scheme === 'rsa' ? `rsa-${hash}` : `hmac-${hash}`
}

/** The checks of deliveries by these formats. */
export function proofOf(
  formats: readonly SignatureFormat[],
  given: ProofParts,
  report: Report,
): SignatureOptions | undefined {
  const { secret, secrets = [], public_key: key, public_keys: keys = [] } = given
  const public_keys: PublicKey[] = []
  for (const written of [...(key === undefined ? [] : [key]), ...keys]) {
    const parsed = parsePublicKey(written)
    const at = key === undefined ? 'public_keys' : 'public_key'
    if (parsed === undefined) {
      return report(
        'out_of_range',
        'must be a public key in PEM or base64, or in hex for Ed25519',
        [at],
      )
    }
    const kind = publicKeyKind(formats[0]?.algorithm)
    if (kind !== parsed.asymmetricKeyType) {
      return report('out_of_range', `must be a key for ${formats[0]?.algorithm}`, [at])
    }
    public_keys.push(parsed)
  }
  return {
    formats,
    secrets: [...(secret === undefined ? [] : [secret]), ...secrets].map((one) => new Secret(one)),
    public_keys,
    tolerance: given.tolerance,
    timestamp_source: given.timestamp_source?.from,
    url: given.url,
    audience: given.audience,
  }
}

/** The format of signatures, and their keys. */
export const signature: Schema<SignatureOptions> = built(
  checked(signatureParts, checkSignature),
  (given, report) => proofOf(formatsOf(given), given, report),
)

function checkSignature(checking: Checking<SignatureParts>): void {
  const { scheme } = checking.value
  if (scheme === undefined) {
    checkKeys(checking, undefined)
    return
  }
  const formats = formatsOf({ ...noFormat, scheme, signed: checking.value.signed })
  checkKeys(checking, formats)
  if (isGeneral(scheme)) checkGeneral(checking, scheme)
  else checkNoGeneral(checking, scheme)
}

/** A format of which nothing is written. */
export const noFormat: Omit<WrittenFormat, 'scheme'> = {
  header: undefined,
  field: undefined,
  signed: undefined,
  id_header: undefined,
  timestamp_header: undefined,
  timestamp_unit: undefined,
  algorithm: undefined,
  encoding: undefined,
  prefix: undefined,
}

const isThere = <T extends object>(
  { value, isBroken }: Checking<T>,
  key: keyof T & string,
): boolean => (value as Partial<T>)[key] !== undefined || isBroken(key)

/** Checks that the keys are those of the formats, and that what the formats need is there. */
export function checkKeys<T extends ProofParts>(
  given: Checking<T>,
  formats: readonly SignatureFormat[] | undefined,
): void {
  // The fields that it reads are those of ProofParts.
  const checking = given as unknown as Checking<ProofParts>
  const { report } = checking
  if (formats?.every(({ certificate }) => certificate !== undefined) === true) {
    for (const key of ['secret', 'secrets', 'public_key', 'public_keys'] as const) {
      if (!isThere(checking, key)) continue
      report([key], 'conflict', 'is not for this sender, whose certificate is fetched')
    }
  } else checkOwnKeys(checking, formats)
  if (formats === undefined) return
  checkTimestampSource(checking, formats)
  checkFact(checking, formats, 'url', 'the sender signs the URL that it has')
  checkFact(checking, formats, 'audience', 'the sender signs for whom a delivery is')
  if (formats.some(({ key }) => key === 'base64')) checkBase64Secrets(checking)
}

/** Checks that a text is there if, and only if, it is signed. */
function checkFact(
  checking: Checking<ProofParts>,
  formats: readonly SignatureFormat[],
  key: 'url' | 'audience',
  why: string,
): void {
  const isSigned = formats.some(({ signed }) => signed.includes(`{${key}}`))
  if (isSigned === isThere(checking, key)) return
  if (isSigned) checking.report([key], 'required', `is missing: ${why}`)
  else checking.report([key], 'conflict', 'is not signed by this sender')
}

function checkOwnKeys(
  checking: Checking<ProofParts>,
  formats: readonly SignatureFormat[] | undefined,
): void {
  const { report } = checking
  const isPublic = publicKeyKind(formats?.[0]?.algorithm) !== undefined
  const [one, several] = isPublic
    ? (['public_key', 'public_keys'] as const)
    : (['secret', 'secrets'] as const)
  const hasOne = isThere(checking, one)
  const hasSeveral = isThere(checking, several)
  if (!hasOne && !hasSeveral) report([one], 'required', 'is missing')
  if (hasOne && hasSeveral) report([several], 'conflict', `needs either ${one} or ${several}`)
  // A public key as the secret of an HMAC would let any sender sign.
  const others = isPublic
    ? (['secret', 'secrets'] as const)
    : (['public_key', 'public_keys'] as const)
  for (const key of others) {
    if (isThere(checking, key)) report([key], 'conflict', `is not for this format: use ${one}`)
  }
}

/** A time counts only if the signature covers it. */
function checkTimestampSource(
  { value, report }: Checking<ProofParts>,
  formats: readonly SignatureFormat[],
): void {
  const { timestamp_source: written } = value
  if (written?.from === undefined) return
  if (written.from.kind !== 'body') {
    report(['timestamp_source'], 'conflict', 'must be a value of the body, which is signed')
  } else if (!formats.every(({ signed }) => signed.includes('{body}'))) {
    report(['timestamp_source'], 'conflict', 'needs a signature that covers the body')
  }
}

function checkGeneral(checking: Checking<SignatureParts>, scheme: GeneralScheme): void {
  const { value, report, isBroken } = checking
  const hasHeader = isThere(checking, 'header')
  if (!hasHeader && !isThere(checking, 'field')) {
    report(['header'], 'required', `is missing: the scheme ${scheme} needs it`)
  }
  if (hasHeader && isThere(checking, 'field'))
    report(['field'], 'conflict', 'needs either header or field')
  if (value.field?.from !== undefined && value.field.from.kind !== 'body') {
    report(['field'], 'conflict', 'must be a value of the body; for a header use header')
  }
  if (scheme === 'ed25519' && isThere(checking, 'algorithm')) {
    report(['algorithm'], 'conflict', 'ed25519 has its own hash')
  }
  if (scheme === 'ecdsa' && value.algorithm === 'sha1') {
    report(['algorithm'], 'out_of_range', 'must be sha256 or sha512 for ecdsa')
  }
  if (!isBroken('signed')) checkSigned(checking)
}

function checkSigned(checking: Checking<SignatureParts>): void {
  const { value, report } = checking
  const { signed = '{body}' } = value
  const hasBody = signed.includes('{body}') || signed.includes('{parameters}')
  const isSigned = signed.includes('{timestamp}')
  // A signature inside of the body cannot cover all of it.
  if (!hasBody && !isThere(checking, 'field'))
    report(['signed'], 'out_of_range', 'must contain {body}')
  if (isSigned && !isThere(checking, 'timestamp_header')) {
    report(['timestamp_header'], 'required', 'is missing: {timestamp} is read from this header')
  }
  if (signed.includes('{id}') && !isThere(checking, 'id_header')) {
    report(['id_header'], 'required', 'is missing: {id} is read from this header')
  }
  // A sender could repeat an old body with a new time.
  if (hasBody && !isSigned && isThere(checking, 'timestamp_header')) {
    const advice = 'write what the sender signs, such as "{timestamp}.{body}"'
    const problem = `must contain {timestamp}, because timestamp_header proves nothing otherwise: ${advice}`
    report(['signed'], value.signed === undefined ? 'required' : 'out_of_range', problem)
  }
}

function checkNoGeneral(checking: Checking<SignatureParts>, scheme: string): void {
  for (const key of generalKeys) {
    if (!isThere(checking, key)) continue
    checking.report([key], 'conflict', `is for the general schemes; ${scheme} has its own`)
  }
}

/** Secrets of some formats are base64 of the key. */
function checkBase64Secrets({ value, report }: Checking<ProofParts>): void {
  const isBase64 = (secret: string | undefined): boolean =>
    secret === undefined || /^[A-Za-z0-9+/_-]+={0,2}$/.test(secret.replace(/^whsec_/, ''))
  const message = 'must be base64, with or without whsec_ before it'
  if (!isBase64(value.secret)) report(['secret'], 'out_of_range', message)
  if (value.secrets?.every(isBase64) === false) report(['secrets'], 'out_of_range', message)
}
