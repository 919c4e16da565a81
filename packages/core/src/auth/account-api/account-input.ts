import {
  type Decode,
  type Fields,
  numberFrom,
  objectOf,
  oneOf,
  optional,
  recordOf,
} from '../../input/decode.ts'
import { sessionInput } from '../operation-input.ts'
import type { AccountHolder } from './account-holder.ts'
import type { FreshOptions } from './fresh.ts'
import type { ProfileAccess } from './profile-access.ts'

/** When a change is let through. */
export const freshFields: Fields<FreshOptions> = {
  freshForMs: (value) =>
    value === undefined || value === Number.POSITIVE_INFINITY ? value : numberFrom(0)(value),
}

/** What users may do with custom attributes. */
export const accessFields: Fields<ProfileAccess> = {
  customAttributes: optional(recordOf(oneOf(['readonly', 'readwrite']))),
}

/** Reads what users may do with custom attributes. */
export const profileAccess: Decode<ProfileAccess> = objectOf(accessFields)

/** Reads whose account is changed: that of a session's user, or that of the user of an id. */
export const holderInput: Decode<AccountHolder> = (value) =>
  typeof value === 'string' ? value : sessionInput(value)
