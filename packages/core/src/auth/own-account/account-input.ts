import {
  type Decode,
  type Fields,
  numberFrom,
  objectOf,
  oneOf,
  optional,
  recordOf,
} from '../../input/decode.ts'
import { sessionInput } from '../sessions/session-input.ts'
import type { AccountHolder } from './account-holder.ts'
import type { FreshOptions } from './fresh.ts'
import type { ProfileAccess } from './profile-access.ts'

/** Decoders of the options for recent authentication. */
export const freshFields: Fields<FreshOptions> = {
  freshForMs: (value) =>
    value === undefined || value === Number.POSITIVE_INFINITY ? value : numberFrom(0)(value),
}

/** Decoders of the users' access to custom attributes. */
export const accessFields: Fields<ProfileAccess> = {
  customAttributes: optional(recordOf(oneOf(['readonly', 'readwrite']))),
}

/** Decodes the users' access to custom attributes. */
export const profileAccess: Decode<ProfileAccess> = objectOf(accessFields)

/** Decodes an account holder: a session, or a user id. */
export const holderInput: Decode<AccountHolder> = (value) =>
  typeof value === 'string' ? value : sessionInput(value)
