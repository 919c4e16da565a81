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
 * So many bytes a login ID has at most as it is compared, whatever is configured: it stands in the ids of records, which have at
 * most 512. An address that mail can be sent to has 254.
 *
 * @see RFC 5321, section 4.5.3.1.3
 */
const mostBytes = 480

/**
 * Reads a login ID as somebody typed it. Never throws. Lengths in what is wrong with it are in code points of what was typed.
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
  const longest = Math.min(rules[type].maxLength, mostBytes)
  if (length > longest) return { problem: tooLong(longest, length) }
  const read = normalize(type, original, rules, use)
  if ('problem' in read) return read
  const bytes = Math.max(countBytes(read.normalized), countBytes(read.uniqueKey))
  if (bytes <= mostBytes) return { loginId: { type, original, ...read } }
  // Whoever typed it knows nothing of these bytes: they are told how much of such a text would do.
  return { problem: tooLong(Math.floor((length * mostBytes) / bytes), length) }
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

const countBytes = (text: string): number => new TextEncoder().encode(text).length
