import type { Instant } from '../../../time/clock.ts'
import type { SessionRecord } from '../../accounts/records.ts'
import type { LoadedAuthConfig } from '../../config/config.ts'
import type { FlowSession } from '../state.ts'
import { type AmrTimes, assuranceLevel } from './amr.ts'

/** A session as the host sees it; `amr` is what was shown to get it, as `pwd` and `mfa`. Instants are in ms since the Unix epoch. */
export interface Session extends Omit<SessionRecord, 'token_hash'> {
  readonly id: string
  /** 2 if it took two factors, or a passkey that has made sure of its user; else 1. */
  readonly aal: 1 | 2
  /** When it ends if nothing is done with it before. */
  readonly expires_at: Instant
}

/** How much later an access is noted, so that not each one is a write. */
export const accessNotedEveryMs = 60_000

/** The id in a session's token; `undefined` for what is no token. */
export function sessionIdOf(token: string): string | undefined {
  const dot = token.indexOf('.')
  return dot <= 0 ? undefined : token.slice(0, dot)
}

/** The token of a request's session cookie, as far as flows may look at it. */
export function sessionTokenOf({ request, session }: RequestOfFlow): string | null {
  return leavesSessionsToBridge(session) ? null : request.session_token
}

interface RequestOfFlow {
  readonly request: { readonly session_token: string | null }
  readonly session: FlowSession
}

/** Whether a flow neither looks at sessions nor opens one: the host's own authorization server does. */
export function leavesSessionsToBridge({ authorization }: FlowSession): boolean {
  return authorization?.suppress_idp_session_cookie === true
}

/** When a session ends if nothing is done with it before. */
export function sessionExpiry(
  { created_at, last_accessed_at }: Pick<SessionRecord, 'created_at' | 'last_accessed_at'>,
  { session }: LoadedAuthConfig,
): Instant {
  const atLatest = created_at + session.lifetime_seconds * 1_000
  if (!session.idle_timeout_enabled) return atLatest
  return Math.min(atLatest, last_accessed_at + session.idle_timeout_seconds * 1_000)
}

/** When each reference of a session was shown last. */
export function amrTimes({ amr, amr_at, authenticated_at }: AmrOfSession): AmrTimes {
  return amr_at ?? Object.fromEntries(amr.map((reference) => [reference, authenticated_at]))
}

type AmrOfSession = Pick<SessionRecord, 'amr' | 'amr_at' | 'authenticated_at'>

/** A session without what proves it. */
export function toSession(id: string, record: SessionRecord, config: LoadedAuthConfig): Session {
  const { token_hash: _hash, ...told } = record
  const aal = assuranceLevel(record.amr, record.user_verified)
  return { id, ...told, aal, expires_at: sessionExpiry(record, config) }
}
