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

/** Decoders of the properties of a request. Header values come unchecked from clients. */
export const requestFields: Fields<RequestContext> = {
  ip: optional(rawText),
  userAgent: optional(rawText),
  acceptLanguage: optional(rawText),
  cookie: optional(rawText),
  query: optional(rawText),
}

/** The limit on inputs in one request. */
export const mostInputs = 50

/** Decodes an input. Its step checks the members. */
export const flowInput: Decode<FlowInput> = recordOf(json)

/** Decodes the properties of a request. */
export const requestContext: Decode<RequestContext> = objectOf(requestFields)

const shownSession = objectOf<Pick<Session, 'id' | 'user_id' | 'authenticated_at' | 'amr'>>({
  id: rawText,
  user_id: rawText,
  authenticated_at: instant,
  amr: listOf(rawText),
})

/** Decodes a session, as `resolveSession()` returns it. */
export const sessionInput: Decode<Session> = (value) => {
  if (typeof value !== 'object' || value === null) return refuse('a Session', value)
  const copy = { ...value }
  // Check the members that identify the user and the age of the session; the rest is only shown.
  return { ...(copy as Session), ...shownSession(copy) }
}
