import type { Json } from '../../storage/storage.ts'

/** What a login ID is read for: lists of what is blocked count only where one is created. */
export type LoginIdUse = 'create' | 'look-up'

/** Why a text is no acceptable login ID. `kind` and `details` are those of the validation cause. */
export interface LoginIdProblem {
  readonly kind: 'required' | 'maxLength' | 'format' | 'blocked' | 'general'
  readonly details?: { readonly [name: string]: Json }
}

/** A login ID as it is compared, or why it is none. */
export type NormalizedLoginId =
  | { readonly normalized: string; readonly uniqueKey: string }
  | { readonly problem: LoginIdProblem }

/** The text has more code points than it may have. */
export const tooLong = (expected: number, actual: number): LoginIdProblem => ({
  kind: 'maxLength',
  details: { expected, actual },
})

/** The text does not have the form of its type. */
export const wrongFormat = (format: 'email' | 'phone' | 'username'): LoginIdProblem => ({
  kind: 'format',
  details: { format },
})

/** The text has the right form, and a list or a switch is against it. */
export const blocked = (
  reason: string,
  more: { readonly [name: string]: Json } = {},
): LoginIdProblem => ({
  kind: 'blocked',
  details: { reason, ...more },
})
