import { equalBytes, hmac } from '../../../crypto/crypto-secrets.ts'
import type { Instant } from '../../../time/clock.ts'

const stepMs = 30_000
const digits = 6

/** The number of bytes in a new secret. */
export const totpSecretBytes = 20

/** Options of {@link matchTotp}. */
export interface TotpMatchOptions {
  /** Time steps of 30 seconds accepted on either side of the current one (default 1). */
  readonly skewSteps?: number
  /** The step of the last accepted code: it and earlier ones are refused. */
  readonly lastStep?: number | null
}

/**
 * The time step of a code, if it is near the current one. Store it as `lastStep`, so that no code is accepted twice. Ignores
 * spaces in a code. Takes the same time for every wrong code of six digits.
 *
 * @see RFC 6238, section 5.2
 */
export function matchTotp(
  secret: Uint8Array,
  code: string,
  now: Instant,
  options: TotpMatchOptions = {},
): number | undefined {
  const { skewSteps = 1, lastStep } = options
  const compact = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(compact)) return undefined
  const typed = new TextEncoder().encode(compact)
  const current = totpStep(now)
  let matched: number | undefined
  for (let step = current - skewSteps; step <= current + skewSteps; step++) {
    const isRight = equalBytes(new TextEncoder().encode(totpCode(secret, step)), typed)
    const isFresh = step >= 0 && step > (lastStep ?? -1)
    if (isRight && isFresh && matched === undefined) matched = step
  }
  return matched
}

/** The time step of an instant. @see RFC 6238, section 4.2 */
export const totpStep = (now: Instant): number => Math.floor(now / stepMs)

/** The code of a time step: six digits, by SHA-1. @see RFC 4226, section 5.3 */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(step))
  const mac = hmac('sha1', secret, new Uint8Array(counter.buffer))
  const view = new DataView(mac.buffer, mac.byteOffset, mac.byteLength)
  const offset = view.getUint8(mac.length - 1) & 0xf
  const number = view.getUint32(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The data for an authenticator app. */
export interface OtpauthKey {
  /** The name of the account: an email address, phone number or user name. */
  readonly account: string
  /** The issuer of the key, for example `https://auth.example.com`. */
  readonly issuer: string
  /** In Base32 without padding. */
  readonly secret: string
}

/** The URI for an authenticator app, usually shown as a QR code. @see Authgear, `otpauth_uri` */
export function otpauthUri({ account, issuer, secret }: OtpauthKey): string {
  const period = stepMs / 1_000
  const query = `algorithm=SHA1&digits=${digits}&issuer=${escapeUri(issuer)}&period=${period}&secret=${escapeUri(secret)}`
  return `otpauth://totp/${escapePathSegment(account)}?${query}`
}

/** Keeps only unreserved characters. */
const escapeUri = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Also keeps `$ & + : = @`, as Go does. */
const escapePathSegment = (text: string): string =>
  escapeUri(text).replace(/%(?:24|26|2B|3A|3D|40)/g, decodeURIComponent)
