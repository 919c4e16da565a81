import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'

/** The origin and the circumstances of an event. */
export interface AuthEventContext {
  readonly timestamp: Instant
  readonly user_id: string | null
  readonly triggered_by: 'user' | 'system' | 'admin_api'
  /** The id of the operator who requested it over HTTP, as `authorize` of `createAuth()` knows it. */
  readonly operator?: string
  /** The `id` of the configuration. */
  readonly app_id: string
  readonly client_id: string | null
  readonly ip_address: string | null
  readonly user_agent: string | null
  /** The country of the address, as an ISO 3166-1 alpha-2 code; set if `geoIp` knows it. */
  readonly geo_location_code?: string
  /** The languages that the sign-in page requests, else those of the browser, as BCP 47 tags, the preferred one first. */
  readonly preferred_languages: readonly string[]
  /** The first of them (default `en`). */
  readonly language: string
  /** The `state` and `x_state` of the authorization request. */
  readonly oauth: { readonly state?: string; readonly x_state?: string }
  readonly authentication_flow: { readonly type: string; readonly name: string } | null
  /** The value that the client gave when it created the flow. Only for hooks; its content is not validated. */
  readonly client_context?: Json
}

/** An event that happened, or is about to. Holds no secret. Instants in the payload are RFC 3339. */
export interface AuthEvent {
  /** A UUIDv7. Ids of one process ascend; ids of several do so as far as their clocks agree. */
  readonly id: string
  /**
   * The sequence number among all delivered events of all processes: 1, 2, 3, … A repeated delivery keeps the number. Events
   * passed to hooks have none.
   */
  readonly seq?: number
  /** As `user.created`. */
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly context: AuthEventContext
}
