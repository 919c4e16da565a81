import type { Instant } from '../../time/clock.ts'
import type { activityTypes } from '../api/activity-types.ts'
import type { AuditedEvent } from '../people/list-auth-events.ts'
import { knownBrowserName } from '../sessions/browser-name.ts'

/** The type of an event in the activity of an account. */
export type ActivityType = (typeof activityTypes)[number]

/** Something that happened to an account, as its user sees it. */
export interface Activity {
  readonly id: string
  readonly at: Instant
  readonly type: ActivityType
  /** `user`: with the account; `admin_api`: the app did it; `system`: it was due. */
  readonly triggered_by: AuditedEvent['triggered_by']
  readonly ip_address?: string
  /** The country of the address, as an ISO 3166-1 alpha-2 code. */
  readonly geo_location_code?: string
  /** The browser in words, such as `Firefox on Windows`; absent if it is not a known one. */
  readonly device?: string
  /** The address, name or provider it is about. */
  readonly about?: string
}

/** An event of the audit log, without what only operators see. */
export function activityOf({ id, at, type, payload, ...event }: AuditedEvent): Activity {
  const { triggered_by, ip_address, user_agent, geo_location_code } = event
  const device = knownBrowserName(user_agent ?? null)
  const about = aboutOf(type, payload)
  return {
    id,
    at,
    // The list was asked for these types alone.
    type: type as ActivityType,
    triggered_by,
    ...(ip_address === undefined ? {} : { ip_address }),
    ...(geo_location_code === undefined ? {} : { geo_location_code }),
    ...(device === undefined ? {} : { device }),
    ...(about === undefined ? {} : { about }),
  }
}

const names = ['email', 'phone_number', 'preferred_username', 'provider_alias', 'name'] as const

function aboutOf(type: string, payload: AuditedEvent['payload']): string | undefined {
  const { impersonator } = payload
  const of = {
    ...payload,
    ...Object(payload.identity),
    ...Object(payload.api_key),
    ...Object(payload.app),
    ...(type === 'user.impersonated' ? { name: Object(impersonator).id } : {}),
  } as Readonly<Record<string, unknown>>
  return names.map((name) => of[name]).find((one) => typeof one === 'string')
}
