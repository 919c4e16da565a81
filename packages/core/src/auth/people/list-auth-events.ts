import {
  type DecodedHistoryQuery,
  type HistoryPage,
  type HistoryQuery,
  historyQueryFields,
} from '../../history/history-query.ts'
import { readHistory } from '../../history/read-history.ts'
import { anyText, decodeInput, exactly, listOf, optional } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { type AuditRecord, auditCollection } from '../events/audit-record.ts'

/** The events to list. */
export interface AuthEventQuery extends HistoryQuery {
  /** Only events of this user. */
  readonly user_id?: string
  /** Only these types of events, as `user.authenticated` (default all). */
  readonly type?: readonly string[]
}

/** An event of the audit log. */
export interface AuditedEvent extends AuditRecord {
  readonly id: string
}

type Decoded = Pick<AuthEventQuery, 'user_id' | 'type'> & DecodedHistoryQuery

const decodeQuery = exactly<Decoded>({
  ...historyQueryFields,
  user_id: optional(anyText),
  type: optional(listOf(anyText)),
})

/**
 * Lists the events of the audit log, newest first, as far as {@link startAuth} recorded them and `auditRetentionMs` and
 * `auditMaxBytes` keep them.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidHistoryQuery`
 * @example
 * const { items, next } = await listAuthEvents(auth, { user_id: 'u1', from: '2026-01-01T00:00:00Z' })
 */
export async function listAuthEvents(
  auth: AuthContext,
  query: AuthEventQuery = {},
): Promise<HistoryPage<AuditedEvent>> {
  const { user_id: userId, type: types = [], ...range } = decodeInput('query', decodeQuery, query)
  const [type, ...others] = types
  const isOneType = userId === undefined && others.length === 0
  return readHistory(auth.audit.history, range, {
    collection: auditCollection,
    only: isOneType ? { field: 'type', value: type } : { field: 'user_id', value: userId },
    wants: (event) => types.length === 0 || types.includes(event.type),
    show: ({ id, value }) => ({ id, ...value }),
  })
}
