import * as z from 'zod/mini'
import {
  type ApiSchema,
  checkedLater,
  described,
  instant,
  text,
  withOneOf,
} from '../../http/api/schema.ts'
import { profileChange } from './account.ts'
import { newFlowType } from './flow-actions.ts'
import { flowInput } from './flow-inputs.ts'
import { maxInputs, maxQueryLength } from './limits.ts'

// The bodies of requests in Authgear's form. Requests are decoded by these schemas.

const input = z.optional(flowInput)
const inputs = z.array(flowInput).check(z.maxLength(maxInputs))
const inPlaceOfInput = 'In place of `input`: several.'

/** Creates a flow. */
export const createFlowBody: ApiSchema = z.object({
  type: newFlowType,
  name: described(text, '`default`, or the name of a declared flow.'),
  input,
  batch_input: described(z.optional(inputs), inPlaceOfInput),
  url_query: described(
    z.optional(text.check(z.maxLength(maxQueryLength))),
    'The query of the authorization request.',
  ),
  client_context: described(z.optional(z.unknown()), 'Passed on to hooks; at most 4 KiB.'),
})

/** Feeds a state. */
export const advanceFlowBody: ApiSchema = withOneOf(
  z.object({
    state_token: described(z.optional(text), 'Not needed for the code of a recovery link.'),
    input,
    batch_input: described(z.optional(inputs.check(z.minLength(1))), inPlaceOfInput),
  }),
  'input',
  'batch_input',
)

/** Reads a state. */
export const getFlowStateBody: ApiSchema = z.object({ state_token: text })

/** Approves a link. */
export const approveLinkBody: ApiSchema = z.object({ code: text })

/** Changes the profile. */
export const profileChangesBody: ApiSchema = z.object({
  attributes: z.array(checkedLater(profileChange)),
})

const token = text.check(z.maxLength(1_024))

/** Asks for tokens. */
export const tokenRequestBody: ApiSchema = withOneOf(
  z.object({
    session_token: described(z.optional(token), 'The value of the session cookie.'),
    refresh_token: described(z.optional(token), 'Used up by this request.'),
  }),
  'session_token',
  'refresh_token',
)

/** Creates an API key. */
export const newApiKeyBody: ApiSchema = z.object({
  name: described(text.check(z.maxLength(200)), 'For people: at most 100 characters.'),
  scopes: described(z.array(text).check(z.maxLength(100)), 'At least one.'),
  expires_at: described(z.optional(z.nullable(instant)), 'Default: never, if that is allowed.'),
})

/** Ends the session of a token. */
export const revokeTokensBody: ApiSchema = z.object({ refresh_token: token })
