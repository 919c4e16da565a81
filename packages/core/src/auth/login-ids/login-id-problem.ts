import type { Json } from '../../storage/storage.ts'

/** The use of a login ID: block lists apply only when one is created. */
export type LoginIdUse = 'create' | 'look-up'

/** The reason why a login ID is refused. `kind` and `details` are those of the validation cause. */
export interface LoginIdProblem {
  readonly kind: 'required' | 'maxLength' | 'format' | 'blocked' | 'general'
  readonly details?: { readonly [name: string]: Json }
}

/** A normalized login ID, or its problem. */
export type NormalizedLoginId =
  | { readonly normalized: string; readonly uniqueKey: string }
  | { readonly problem: LoginIdProblem }

/** The text has too many code points. */
export const tooLong = (expected: number, actual: number): LoginIdProblem => ({
  kind: 'maxLength',
  details: { expected, actual },
})

/** The text does not have the format of its type. */
export const wrongFormat = (format: 'email' | 'phone' | 'username'): LoginIdProblem => ({
  kind: 'format',
  details: { format },
})

/** The format is valid, but a list or a setting blocks the text. */
export const blocked = (
  reason: string,
  more: { readonly [name: string]: Json } = {},
): LoginIdProblem => ({
  kind: 'blocked',
  details: { reason, ...more },
})
