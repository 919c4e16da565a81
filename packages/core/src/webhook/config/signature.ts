import { Secret } from '../../crypto/secret.ts'
import { findMember, memberOrSelf, report } from '../../document/place.ts'
import { filledListOf, filledText, oneOf, text, textLike } from '../../document/values.ts'
import type { SignatureOptions, SignatureScheme } from '../webhook.ts'
import { mappingOf } from './fields.ts'
import { isHeaderName } from './headers.ts'
import { duration } from './measures.ts'
import { secretText } from './outside-text.ts'
import type { Decode, Place } from './place.ts'

interface WrittenSignature {
  readonly scheme: SignatureScheme
  readonly secret: string
  readonly secrets: readonly string[]
  readonly tolerance: number
  readonly header: string
  readonly signed: string
  readonly timestamp_header: string
  readonly algorithm: SignatureOptions['algorithm']
  readonly encoding: SignatureOptions['encoding']
  readonly prefix: string
}

const headerName = textLike(isHeaderName, 'the name of a header')

const written = mappingOf<WrittenSignature>(
  {
    scheme: oneOf(
      'github',
      'gitea',
      'gitlab-token',
      'stripe',
      'slack',
      'standard',
      'shopify',
      'hmac',
    ),
    secret: secretText,
    secrets: filledListOf(secretText),
    tolerance: duration({ isAge: true }),
    header: headerName,
    signed: filledText,
    timestamp_header: headerName,
    algorithm: oneOf('sha256', 'sha512', 'sha1'),
    encoding: oneOf('hex', 'base64'),
    prefix: text,
  },
  { required: ['scheme'] },
)

/** The keys that say how a signature of the scheme `hmac` is made; the other schemes know it. */
const hmacKeys = [
  'header',
  'signed',
  'timestamp_header',
  'algorithm',
  'encoding',
  'prefix',
] as const

/** How senders sign. */
export const signature: Decode<SignatureOptions> = (place) => {
  const given = written(place)
  if (given === undefined) return undefined
  const { scheme } = given
  checkSecretKeys(place)
  if (scheme === 'hmac') checkHmac(place, given.signed)
  else if (scheme !== undefined) checkNoHmac(place, scheme)
  if (scheme === 'standard') checkStandardSecrets(place, given)
  const secrets = [...(given.secret === undefined ? [] : [given.secret]), ...(given.secrets ?? [])]
  if (scheme === undefined) return undefined
  return {
    scheme,
    secrets: secrets.map((secret) => new Secret(secret)),
    tolerance: given.tolerance ?? 300_000,
    header: given.header ?? '',
    signed: given.signed ?? '{body}',
    timestamp_header: given.timestamp_header,
    algorithm: given.algorithm ?? 'sha256',
    encoding: given.encoding ?? 'hex',
    prefix: given.prefix ?? '',
  }
}

function checkSecretKeys(place: Place): void {
  const one = findMember(place, 'secret')
  const several = findMember(place, 'secrets')
  if (one === undefined && several === undefined) {
    report(memberOrSelf(place, 'secret'), 'required', 'is missing')
  }
  if (one !== undefined && several !== undefined) {
    report(several, 'conflict', 'either secret or secrets')
  }
}

function checkHmac(place: Place, signed: string | undefined): void {
  if (findMember(place, 'header') === undefined) {
    report(memberOrSelf(place, 'header'), 'required', 'is missing: the scheme hmac needs it')
  }
  if (signed === undefined) return
  const signedPlace = memberOrSelf(place, 'signed')
  if (!signed.includes('{body}')) report(signedPlace, 'out_of_range', 'must hold {body}')
  const needsTimestamp = signed.includes('{timestamp}')
  if (needsTimestamp && findMember(place, 'timestamp_header') === undefined) {
    const message = 'is missing: {timestamp} comes out of this header'
    report(memberOrSelf(place, 'timestamp_header'), 'required', message)
  }
}

function checkNoHmac(place: Place, scheme: SignatureScheme): void {
  for (const key of hmacKeys) {
    const member = findMember(place, key)
    if (member !== undefined) {
      report(member, 'conflict', `is for the scheme hmac; ${scheme} says it by itself`)
    }
  }
}

/** A secret of this scheme is base64 of the key. */
function checkStandardSecrets(place: Place, given: Partial<WrittenSignature>): void {
  const isBase64 = (secret: string): boolean =>
    /^[A-Za-z0-9+/_-]+={0,2}$/.test(secret.replace(/^whsec_/, ''))
  const message = 'must be base64, after whsec_ or by itself'
  if (given.secret !== undefined && !isBase64(given.secret)) {
    report(memberOrSelf(place, 'secret'), 'out_of_range', message)
  }
  if (given.secrets?.some((secret) => !isBase64(secret)) === true) {
    report(memberOrSelf(place, 'secrets'), 'out_of_range', message)
  }
}
