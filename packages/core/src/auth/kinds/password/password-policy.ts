import type { Json } from '../../../storage/storage.ts'
import type { PasswordPolicy } from '../../config/config.ts'
import { foldCase } from '../../login-ids/case-folding.ts'
import { maxPasswordBytes, normalPassword } from '../../secrets/typed-password.ts'

export type { PasswordStrength } from '../../password-strength/password-strength.ts'

/** A violation of a policy, as clients see it. */
export interface PolicyCause {
  readonly Name: string
  readonly Info?: { readonly [name: string]: number }
}

/** The properties of a password beside its text. */
export interface PasswordFacts {
  /** 0 to 4; required if {@link needsStrength}. */
  readonly strength?: number
  /** Whether it is an earlier password that must not be reused (default false). */
  readonly isReused?: boolean
  /** Whether the user's password of the other kind has the same text (default false). */
  readonly isOther?: boolean
}

/** Whether {@link checkPassword} needs the strength; every password reaches the lowest level. */
export function needsStrength({ minimum_guessable_level }: PasswordPolicy): boolean {
  return minimum_guessable_level > 1
}

/** Whether {@link checkPassword} needs to know if a password was used before. */
export function needsHistory({ history_size, history_days }: PasswordPolicy): boolean {
  return history_size > 0 || history_days > 0
}

/** A policy as clients see it, without the requirements it does not have. @see Authgear, `password_policy` */
export function passwordPolicyData(policy: PasswordPolicy): { readonly [name: string]: Json } {
  const { min_length, minimum_guessable_level, excluded_keywords, history_size, history_days } =
    policy
  const switches = Object.fromEntries(
    switchNames.filter((name) => policy[name]).map((name) => [name, true]),
  )
  return {
    minimum_length: min_length,
    ...switches,
    ...(minimum_guessable_level > 0 ? { minimum_zxcvbn_score: minimum_guessable_level - 1 } : {}),
    ...(excluded_keywords.length > 0 ? { excluded_keywords } : {}),
    history: {
      enabled: needsHistory(policy),
      ...(history_size > 0 ? { size: history_size } : {}),
      ...(history_days > 0 ? { days: history_days } : {}),
    },
  }
}

const switchNames = [
  'uppercase_required',
  'lowercase_required',
  'alphabet_required',
  'digit_required',
  'symbol_required',
] as const

/** The characters that each switch requires; a symbol is any character except ASCII letters and digits. */
const characterRules: readonly (readonly [(typeof switchNames)[number], RegExp, string])[] = [
  ['uppercase_required', /[A-Z]/, 'PasswordUppercaseRequired'],
  ['lowercase_required', /[a-z]/, 'PasswordLowercaseRequired'],
  ['alphabet_required', /[A-Za-z]/, 'PasswordAlphabetRequired'],
  ['digit_required', /[0-9]/, 'PasswordDigitRequired'],
  ['symbol_required', /[^A-Za-z0-9]/, 'PasswordSymbolRequired'],
]

/**
 * All violations of the policy by the normal form of a password, in the order in which clients see them. The empty password is
 * always too short.
 *
 * @throws {TypeError} if the strength is required and not given.
 * @see Authgear, `PasswordPolicyViolated`
 */
export function checkPassword(
  policy: PasswordPolicy,
  typed: string,
  facts: PasswordFacts = {},
): readonly PolicyCause[] {
  const text = normalPassword(typed)
  return [
    ...checkLength(policy, text),
    ...characterRules
      .filter(([name, pattern]) => policy[name] && !pattern.test(text))
      .map(([, , Name]) => ({ Name })),
    ...checkKeywords(policy, text),
    ...checkStrength(policy, facts.strength),
    ...checkReuse(policy, facts),
  ]
}

function checkLength({ min_length }: PasswordPolicy, text: string): readonly PolicyCause[] {
  const bytes = new TextEncoder().encode(text).length
  if (bytes > maxPasswordBytes) {
    return [{ Name: 'PasswordTooLong', Info: { max_length: maxPasswordBytes, pw_length: bytes } }]
  }
  const least = Math.max(min_length, 1)
  const length = [...text].length
  if (length >= least) return []
  return [{ Name: 'PasswordTooShort', Info: { min_length: least, pw_length: length } }]
}

function checkKeywords(
  { excluded_keywords }: PasswordPolicy,
  text: string,
): readonly PolicyCause[] {
  const folded = foldCase(text)
  const hasKeyword = excluded_keywords.some(
    (word) => word !== '' && folded.includes(foldCase(normalPassword(word))),
  )
  return hasKeyword ? [{ Name: 'PasswordContainingExcludedKeywords' }] : []
}

function checkStrength(
  policy: PasswordPolicy,
  strength: number | undefined,
): readonly PolicyCause[] {
  if (!needsStrength(policy)) return []
  if (strength === undefined) {
    throw new TypeError('minimum_guessable_level needs the strength of the password')
  }
  const min_level = policy.minimum_guessable_level
  const pw_level = strength + 1
  if (pw_level >= min_level) return []
  return [{ Name: 'PasswordBelowGuessableLevel', Info: { min_level, pw_level } }]
}

/** The violation by a password that is known from a leak. */
export const leakedCause: PolicyCause = { Name: 'PasswordLeaked' }

function checkReuse(
  policy: PasswordPolicy,
  { isReused = false, isOther = false }: PasswordFacts,
): readonly PolicyCause[] {
  const { history_size, history_days } = policy
  if (isReused && needsHistory(policy)) {
    return [{ Name: 'PasswordReused', Info: { history_size, history_days } }]
  }
  return isOther ? [{ Name: 'PasswordReused' }] : []
}
