import { type EmailRules, normalizeEmail } from './email.ts'
import type { LoginIdProblem, LoginIdUse, NormalizedLoginId } from './login-id-problem.ts'
import { normalizePhone, type PhoneRules } from './phone.ts'
import { normalizeUsername, type UsernameRules } from './username.ts'

export type { LoginIdProblem, LoginIdUse } from './login-id-problem.ts'

/** The types of login IDs. */
export type LoginIdType = 'email' | 'phone' | 'username'

/** A login ID that was read. */
export interface LoginId {
  readonly type: LoginIdType
  /** As typed, trimmed. For display. */
  readonly original: string
  /** The value of the claim. */
  readonly normalized: string
  /** Two login IDs with the same one are the same: look-ups go by it. */
  readonly uniqueKey: string
}

/** What login IDs must be like, by type. */
export interface LoginIdRules {
  readonly email: EmailRules
  readonly phone: PhoneRules
  readonly username: UsernameRules
}

/**
 * Reads a login ID as somebody typed it. Never throws.
 *
 * @see Authgear, login ID checkers and normalizers
 */
export function readLoginId(
  type: LoginIdType,
  text: string,
  rules: LoginIdRules,
  use: LoginIdUse,
): { readonly loginId: LoginId } | { readonly problem: LoginIdProblem } {
  const original = text.trim()
  if (original === '') return { problem: { kind: 'required' } }
  const expected = rules[type].maxLength
  const actual = countCodePoints(original)
  if (actual > expected) return { problem: { kind: 'maxLength', details: { expected, actual } } }
  const read = normalize(type, original, rules, use)
  return 'problem' in read ? read : { loginId: { type, original, ...read } }
}

function normalize(
  type: LoginIdType,
  text: string,
  rules: LoginIdRules,
  use: LoginIdUse,
): NormalizedLoginId {
  if (type === 'email') return normalizeEmail(text, rules.email, use)
  if (type === 'phone') return normalizePhone(text, rules.phone, use)
  return normalizeUsername(text, rules.username, use)
}

/** Without making an array of what may be very long. */
function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
