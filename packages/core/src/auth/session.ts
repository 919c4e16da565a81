import type { Instant } from '../clock.ts'
import { assuranceLevel } from './amr.ts'
import type { AuthConfig } from './config.ts'
import type { SessionRecord } from './records.ts'

/** A session as the host sees it. Instants are in ms since the Unix epoch. */
export interface Session {
  readonly id: string
  readonly user_id: string
  readonly client_id: string | null
  readonly created_at: Instant
  readonly authenticated_at: Instant
  readonly last_accessed_at: Instant
  readonly last_accessed_ip: string | null
  readonly last_accessed_user_agent: string | null
  /** What was shown to get it, as `pwd` and `mfa`. */
  readonly amr: readonly string[]
  /** 2 if it took two factors, else 1. */
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

/** When a session ends if nothing is done with it before. */
export function sessionExpiry(
  { created_at, last_accessed_at }: Pick<SessionRecord, 'created_at' | 'last_accessed_at'>,
  { session }: AuthConfig,
): Instant {
  const atLatest = created_at + session.lifetime_seconds * 1_000
  if (!session.idle_timeout_enabled) return atLatest
  return Math.min(atLatest, last_accessed_at + session.idle_timeout_seconds * 1_000)
}

/** A session without what proves it. */
export function toSession(id: string, record: SessionRecord, config: AuthConfig): Session {
  const { token_hash: _hash, ...told } = record
  return { id, ...told, aal: assuranceLevel(record.amr), expires_at: sessionExpiry(record, config) }
}
