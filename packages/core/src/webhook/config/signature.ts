import { Secret } from '../../crypto/secret.ts'
import { duration } from '../../document/measures.ts'
import { secretText } from '../../document/outside-text.ts'
import {
  built,
  type Checking,
  checked,
  filledListOf,
  filledText,
  mapping,
  oneOf,
  optional,
  required,
  type Schema,
  text,
  textLike,
  withDefault,
} from '../../document/schema.ts'
import type { SignatureOptions, SignatureScheme } from '../webhook.ts'
import { foreignSignatureKeys } from './foreign-keys.ts'
import { isHeaderName } from './headers.ts'
import { source, type WrittenSource } from './sources.ts'

interface SignatureParts {
  readonly scheme: SignatureScheme
  readonly secret: string | undefined
  readonly secrets: readonly string[] | undefined
  readonly tolerance: number
  readonly header: string | undefined
  readonly signed: string | undefined
  readonly timestamp_header: string | undefined
  readonly timestamp_source: WrittenSource | undefined
  readonly algorithm: SignatureOptions['algorithm'] | undefined
  readonly encoding: SignatureOptions['encoding'] | undefined
  readonly prefix: string | undefined
}

const headerName = textLike(isHeaderName, 'the name of a header')

const schemes = [
  'github',
  'gitea',
  'gitlab-token',
  'stripe',
  'slack',
  'standard',
  'shopify',
  'hmac',
] as const

const signatureParts: Schema<SignatureParts> = mapping(
  {
    scheme: required(oneOf(...schemes), 'The format of signatures.'),
    secret: optional(secretText, 'The secret. Use this or `secrets`.'),
    secrets: optional(filledListOf(secretText), 'Several secrets, to rotate them.'),
    tolerance: withDefault(
      duration({ isAge: true, takesSeconds: true }),
      '300s',
      'The largest difference of a timestamp to now.',
    ),
    header: optional(headerName, 'The header of the signature. Required for `hmac`.'),
    signed: optional(
      filledText,
      'The signed text, with `{body}` and `{timestamp}` in it. For `hmac`. Default: `{body}`.',
    ),
    timestamp_header: optional(
      headerName,
      'The header for `{timestamp}`, which must be in `signed`. For `hmac`.',
    ),
    timestamp_source: optional(
      source,
      'The place of a timestamp in the signed body, in seconds or milliseconds, such as `data.webhookTimestamp`.',
    ),
    algorithm: optional(
      oneOf('sha256', 'sha512', 'sha1'),
      'The hash. For `hmac`. Default: `sha256`.',
    ),
    encoding: optional(
      oneOf('hex', 'base64'),
      'The encoding of the signature. For `hmac`. Default: `hex`.',
    ),
    prefix: optional(
      text,
      'The text before the signature. For `hmac`. Default: none, or the name of the hash, as in `sha256=`.',
    ),
  },
  { title: 'WebhookSignature', notes: foreignSignatureKeys },
)

/** The keys for the format of scheme `hmac`; the other schemes have a fixed one. */
const hmacKeys = [
  'header',
  'signed',
  'timestamp_header',
  'algorithm',
  'encoding',
  'prefix',
] as const

/** The format of signatures, and their secrets. */
export const signature: Schema<SignatureOptions> = built(
  checked(signatureParts, checkSignature),
  (given) => ({
    scheme: given.scheme,
    secrets: [...(given.secret === undefined ? [] : [given.secret]), ...(given.secrets ?? [])].map(
      (secret) => new Secret(secret),
    ),
    tolerance: given.tolerance,
    header: given.header ?? '',
    signed: given.signed ?? '{body}',
    timestamp_header: given.timestamp_header,
    timestamp_source: given.timestamp_source?.from,
    algorithm: given.algorithm ?? 'sha256',
    encoding: given.encoding ?? 'hex',
    prefix: given.prefix ?? '',
  }),
)

function checkSignature(checking: Checking<SignatureParts>): void {
  const { scheme } = checking.value
  checkSecretKeys(checking)
  checkTimestampSource(checking)
  if (scheme === 'hmac') checkHmac(checking)
  else if (scheme !== undefined) checkNoHmac(checking, scheme)
  if (scheme === 'standard') checkStandardSecrets(checking)
}

const isThere = (
  { value, isBroken }: Checking<SignatureParts>,
  key: keyof SignatureParts,
): boolean => value[key] !== undefined || isBroken(key)

function checkSecretKeys(checking: Checking<SignatureParts>): void {
  const hasOne = isThere(checking, 'secret')
  const hasSeveral = isThere(checking, 'secrets')
  if (!hasOne && !hasSeveral) checking.report(['secret'], 'required', 'is missing')
  if (hasOne && hasSeveral)
    checking.report(['secrets'], 'conflict', 'needs either secret or secrets')
}

function checkHmac(checking: Checking<SignatureParts>): void {
  const { value, report, isBroken } = checking
  if (!isThere(checking, 'header')) {
    report(['header'], 'required', 'is missing: the scheme hmac needs it')
  }
  if (isBroken('signed')) return
  const { signed = '{body}' } = value
  const hasBody = signed.includes('{body}')
  const isSigned = signed.includes('{timestamp}')
  if (!hasBody) report(['signed'], 'out_of_range', 'must contain {body}')
  if (isSigned && !isThere(checking, 'timestamp_header')) {
    report(['timestamp_header'], 'required', 'is missing: {timestamp} is read from this header')
  }
  // A sender could repeat an old body with a new time.
  if (hasBody && !isSigned && isThere(checking, 'timestamp_header')) {
    const advice = 'write what the sender signs, such as "{timestamp}.{body}"'
    const problem = `must contain {timestamp}, because timestamp_header proves nothing otherwise: ${advice}`
    report(['signed'], value.signed === undefined ? 'required' : 'out_of_range', problem)
  }
}

/** A time counts only if the signature covers it. */
function checkTimestampSource({ value, report }: Checking<SignatureParts>): void {
  const { scheme, timestamp_source: written } = value
  if (written?.from === undefined) return
  if (written.from.kind !== 'body') {
    report(['timestamp_source'], 'conflict', 'must be a value of the body, which is signed')
  } else if (scheme === 'gitlab-token') {
    report(['timestamp_source'], 'conflict', 'needs a signature, and gitlab-token signs nothing')
  }
}

function checkNoHmac(checking: Checking<SignatureParts>, scheme: SignatureScheme): void {
  for (const key of hmacKeys) {
    if (!isThere(checking, key)) continue
    checking.report([key], 'conflict', `is for the scheme hmac; ${scheme} has its own`)
  }
}

/** Secrets of this scheme are base64 of the key. */
function checkStandardSecrets({ value, report }: Checking<SignatureParts>): void {
  const isBase64 = (secret: string | undefined): boolean =>
    secret === undefined || /^[A-Za-z0-9+/_-]+={0,2}$/.test(secret.replace(/^whsec_/, ''))
  const message = 'must be base64, with or without whsec_ before it'
  if (!isBase64(value.secret)) report(['secret'], 'out_of_range', message)
  if (value.secrets?.every(isBase64) === false) report(['secrets'], 'out_of_range', message)
}
