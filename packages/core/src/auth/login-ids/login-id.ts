import { type EmailRules, normalizeEmail } from './email.ts'
import {
  type LoginIdProblem,
  type LoginIdUse,
  type NormalizedLoginId,
  tooLong,
} from './login-id-problem.ts'
import { normalizePhone, type PhoneRules } from './phone.ts'
import { normalizeUsername, type UsernameRules } from './username.ts'

export type { LoginIdProblem, LoginIdUse } from './login-id-problem.ts'

/** The types of login IDs. */
export type LoginIdType = 'email' | 'phone' | 'username'

/** A validated login ID. */
export interface LoginId {
  readonly type: LoginIdType
  /** As typed, without surrounding whitespace. For display. */
  readonly original: string
  /** The value of the claim. */
  readonly normalized: string
  /** Login IDs with the same key are the same; look-ups use it. */
  readonly uniqueKey: string
}

/** The rules for login IDs, by type. */
export interface LoginIdRules {
  readonly email: EmailRules
  readonly phone: PhoneRules
  readonly username: UsernameRules
}

/**
 * The limit on a normalized login ID, in bytes, whatever is configured. It is part of record ids, which have at most 512. A mail
 * address has at most 254.
 *
 * @see RFC 5321, section 4.5.3.1.3
 */
const maxBytes = 480

/**
 * Reads a login ID as typed by a user. Never throws. Lengths in problems are in code points of the typed text.
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
  const length = countCodePoints(original)
  const longest = Math.min(rules[type].maxLength, maxBytes)
  if (length > longest) return { problem: tooLong(longest, length) }
  const read = normalize(type, original, rules, use)
  if ('problem' in read) return read
  const bytes = Math.max(countBytes(read.normalized), countBytes(read.uniqueKey))
  if (bytes <= maxBytes) return { loginId: { type, original, ...read } }
  // Users do not know about bytes, so report how many characters of such a text would fit.
  return { problem: tooLong(Math.floor((length * maxBytes) / bytes), length) }
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

/** Avoids an array, because the text may be very long. */
function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const countBytes = (text: string): number => new TextEncoder().encode(text).length
