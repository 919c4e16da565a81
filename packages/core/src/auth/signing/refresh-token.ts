import type { Instant } from '../../time/clock.ts'
import type { Grant } from '../accounts/session-record.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

/** The parts of a refresh token. Nothing of it is secret but the MAC. */
export interface RefreshToken {
  readonly sessionId: string
  readonly grant: string
  readonly generation: number
}

const purpose = 'refresh token'
const pattern = /^ghr_([\w-]{1,64})\.([\w-]{1,64})\.(\d{1,9})\.([\w-]{1,64}\.[\w-]{43})$/

const signedText = ({ sessionId, grant, generation }: RefreshToken): string =>
  `${sessionId}.${grant}.${generation}`

/** A refresh token. The same parts make the same token, so that a lost answer can be given again. */
export const formatRefreshToken = (secrets: SecretBox, parts: RefreshToken): string => {
  const signed = signedText(parts)
  return `ghr_${signed}.${secrets.mac(purpose, signed)}`
}

/** The parts of a token that this service has made; `undefined` for any other text. */
export function readRefreshToken(secrets: SecretBox, token: string): RefreshToken | undefined {
  const [, sessionId = '', grant = '', digits = '', mac = ''] = pattern.exec(token) ?? []
  const parts = { sessionId, grant, generation: Number(digits) }
  return secrets.checkMac(purpose, signedText(parts), mac) ? parts : undefined
}

/**
 * What a refresh token is worth: the newest one is replaced; the one before it, shortly after, is that of a client that has not
 * got its answer; an older one was used before, so there is a copy of it.
 */
export type TokenWorth = 'new' | 'again' | 'reused' | 'ended'

/** Judges a token that this service has made, by the grant as stored. */
export function worthOf(
  { generation }: Pick<RefreshToken, 'generation'>,
  grant: Grant | undefined,
  { now, leewayMs }: { readonly now: Instant; readonly leewayMs: number },
): TokenWorth {
  if (grant === undefined || grant.expires_at <= now) return 'ended'
  if (generation === grant.generation) return 'new'
  const isBefore = generation === grant.generation - 1
  return isBefore && now - grant.rotated_at <= leewayMs ? 'again' : 'reused'
}
