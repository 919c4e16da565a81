import {
  type Decode,
  type Fields,
  json,
  listOf,
  objectOf,
  optional,
  rawText,
  recordOf,
} from '../input/decode.ts'
import { instant } from '../input/instant.ts'
import { refuse } from '../input/refusal.ts'
import type { Session } from './flow/session/session.ts'
import type { FlowInput } from './flow/view.ts'
import type { RequestContext } from './flow-result.ts'

/** What reads the members of what is known of a request. Headers are whatever a client sent. */
export const requestFields: Fields<RequestContext> = {
  ip: optional(rawText),
  userAgent: optional(rawText),
  cookie: optional(rawText),
  query: optional(rawText),
}

/** Reads an input. What it may hold is for its step to say. */
export const flowInput: Decode<FlowInput> = recordOf(json)

/** Reads what is known of a request. */
export const requestContext: Decode<RequestContext> = objectOf(requestFields)

const shownSession = objectOf<Pick<Session, 'id' | 'user_id' | 'authenticated_at' | 'amr'>>({
  id: rawText,
  user_id: rawText,
  authenticated_at: instant,
  amr: listOf(rawText),
})

/** Reads a session, as `resolveSession()` answers it. */
export const sessionInput: Decode<Session> = (value) => {
  if (typeof value !== 'object' || value === null) return refuse('a Session', value)
  const copy = { ...value }
  // What tells whose it is and how fresh is checked; the rest is only shown.
  return { ...(copy as Session), ...shownSession(copy) }
}
