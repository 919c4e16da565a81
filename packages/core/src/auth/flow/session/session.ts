import type { Instant } from '../../../time/clock.ts'
import type { SessionRecord } from '../../accounts/session-record.ts'
import type { LoadedAuthConfig } from '../../config/config.ts'
import type { FlowSession } from '../state.ts'
import { type AmrTimes, assuranceLevel } from './amr.ts'

/**
 * A session as the host sees it; `amr` lists how the user authenticated, as `pwd` and `mfa`. Instants are in ms since the Unix
 * epoch.
 */
export interface Session
  extends Omit<SessionRecord, 'token_hash' | 'factors' | 'own' | 'grants' | 'ends_at'> {
  readonly id: string
  /** 2 after two factors, or a passkey with user verification; else 1. */
  readonly aal: 1 | 2
  /** When it expires unless it is used before. */
  readonly expires_at: Instant
}

/** The interval at which accesses are stored, so that not each one is a write. */
export const accessNotedEveryMs = 60_000

/** The id in a session's token; `undefined` if the text is not a token. */
export function sessionIdOf(token: string): string | undefined {
  const dot = token.indexOf('.')
  return dot <= 0 ? undefined : token.slice(0, dot)
}

/** The token in a request's session cookie, unless flows must ignore it. */
export function sessionTokenOf({ request, session }: RequestOfFlow): string | null {
  return leavesSessionsToBridge(session) ? null : request.session_token
}

interface RequestOfFlow {
  readonly request: { readonly session_token: string | null }
  readonly session: FlowSession
}

/** Whether a flow neither reads nor opens sessions, because the host's authorization server does. */
export function leavesSessionsToBridge({ authorization }: FlowSession): boolean {
  return authorization?.suppress_idp_session_cookie === true
}

/** When a session expires unless it is used before. */
export function sessionExpiry(
  {
    created_at,
    last_accessed_at,
    ends_at: endsAt = Number.POSITIVE_INFINITY,
  }: Pick<SessionRecord, 'created_at' | 'last_accessed_at' | 'ends_at'>,
  { session }: LoadedAuthConfig,
): Instant {
  const atLatest = Math.min(created_at + session.lifetime_seconds * 1_000, endsAt)
  if (!session.idle_timeout_enabled) return atLatest
  return Math.min(atLatest, last_accessed_at + session.idle_timeout_seconds * 1_000)
}

/** The last time each reference of a session was shown. */
export function amrTimes({ amr, amr_at, authenticated_at }: AmrOfSession): AmrTimes {
  return amr_at ?? Object.fromEntries(amr.map((reference) => [reference, authenticated_at]))
}

type AmrOfSession = Pick<SessionRecord, 'amr' | 'amr_at' | 'authenticated_at'>

/** A session with what only flows know of it. */
export type KnownSession = Session & Pick<SessionRecord, 'factors' | 'own'>

/** A session without its token's hash and what only flows know. */
export function toSession(id: string, record: SessionRecord, config: LoadedAuthConfig): Session {
  const {
    token_hash: _hash,
    factors: _factors,
    own: _own,
    grants: _grants,
    ends_at: _end,
    ...shown
  } = record
  const aal = assuranceLevel(record.amr, record.user_verified)
  return { id, ...shown, aal, expires_at: sessionExpiry(record, config) }
}
