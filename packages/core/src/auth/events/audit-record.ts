import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import {
  anything,
  instant,
  mapOf,
  objectOf,
  oneOf,
  optional,
  text,
} from '../../storage/record-check.ts'
import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { AuthEvent, AuthEventContext } from './auth-event.ts'

/** An event in the audit log. */
export interface AuditRecord {
  readonly at: Instant
  /** As `user.created`. */
  readonly type: string
  readonly user_id?: string
  readonly triggered_by: AuthEventContext['triggered_by']
  readonly operator?: string
  readonly client_id?: string
  readonly ip_address?: string
  /** At most its first 512 characters. */
  readonly user_agent?: string
  readonly geo_location_code?: string
  readonly authentication_flow?: { readonly type: string; readonly name: string }
  /** The payload of the event without the user's record; empty if it has more than 8,192 characters. */
  readonly payload: { readonly [name: string]: Json }
}

/** The events of users, by time. */
export const auditCollection: TypedCollection<AuditRecord> = defineCollection<AuditRecord>({
  name: 'auth_audit',
  fields: { user_id: 'text', type: 'text' },
  unreadable: 'skip',
  check: objectOf<AuditRecord>({
    at: instant,
    type: text,
    user_id: optional(text),
    triggered_by: oneOf(['user', 'system', 'admin_api']),
    operator: optional(text),
    client_id: optional(text),
    ip_address: optional(text),
    user_agent: optional(text),
    geo_location_code: optional(text),
    authentication_flow: optional(mapOf(text)),
    payload: mapOf(anything),
  }),
})

const maxAgentLength = 512
const maxPayloadLength = 8_192

/** The record of an event. */
export function auditRecord({ type, payload, context }: AuthEvent): AuditRecord {
  const { user_id, client_id, ip_address, user_agent, geo_location_code, authentication_flow } =
    context
  return {
    at: context.timestamp,
    type,
    triggered_by: context.triggered_by,
    ...(context.operator === undefined ? {} : { operator: context.operator }),
    ...(user_id === null ? {} : { user_id }),
    ...(client_id === null ? {} : { client_id }),
    ...(ip_address === null ? {} : { ip_address }),
    ...(user_agent === null ? {} : { user_agent: user_agent.slice(0, maxAgentLength) }),
    ...(geo_location_code === undefined ? {} : { geo_location_code }),
    ...(authentication_flow === null ? {} : { authentication_flow }),
    payload: shortPayload(payload),
  }
}

function shortPayload({ user: _user, ...payload }: AuthEvent['payload']): AuditRecord['payload'] {
  const json = JSON.stringify(payload)
  return json.length > maxPayloadLength ? {} : JSON.parse(json)
}
