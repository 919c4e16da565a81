import type { PasswordPolicy } from '@gatehouse/client'
import type { TextKey } from '../texts/en.ts'

/** A rule of a policy, and whether a password meets it; `undefined` for one that only the service can check. */
export interface Rule {
  readonly key: TextKey
  readonly count?: number
  readonly isMet: boolean | undefined
}

/** The rules of a policy, as far as they are there. The service decides; the page says it as one types. */
export function rulesOf(policy: PasswordPolicy, password: string): readonly Rule[] {
  const { minimum_length: count, excluded_keywords: excluded = [] } = policy
  const lower = password.toLowerCase()
  const rules: readonly (Rule | false)[] = [
    { key: 'policy.length', count, isMet: [...password].length >= count },
    policy.uppercase_required === true && { key: 'policy.upper', isMet: /\p{Lu}/u.test(password) },
    policy.lowercase_required === true && { key: 'policy.lower', isMet: /\p{Ll}/u.test(password) },
    policy.alphabet_required === true && {
      key: 'policy.alphabet',
      isMet: /[A-Za-z]/.test(password),
    },
    policy.digit_required === true && { key: 'policy.digit', isMet: /\d/.test(password) },
    policy.symbol_required === true && {
      key: 'policy.symbol',
      isMet: /[^A-Za-z\d]/.test(password),
    },
    excluded.length > 0 && {
      key: 'policy.excluded',
      isMet: password !== '' && !excluded.some((word) => lower.includes(word.toLowerCase())),
    },
    policy.minimum_zxcvbn_score !== undefined && { key: 'policy.strength', isMet: undefined },
    policy.history.enabled && { key: 'policy.history', isMet: undefined },
  ]
  return rules.filter((rule) => rule !== false)
}

/** Sequences that guessers try first. */
const sequences = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
]
const commonWords = ['password', 'passwort', 'letmein', 'welcome', 'qwerty', 'admin', 'iloveyou']

/**
 * How hard a password is to guess, from 0 to 4: an estimate by its length, its characters and what repeats in it. It is a help and
 * no check.
 */
export function strengthOf(password: string): 0 | 1 | 2 | 3 | 4 {
  let lower = password.toLowerCase()
  // A known word or a row of the keyboard counts as one character.
  for (const word of commonWords) lower = lower.replaceAll(word, '*')
  for (const row of sequences) {
    for (let size = row.length; size >= 4; size--) {
      for (let at = 0; at + size <= row.length; at++) {
        lower = lower.replaceAll(row.slice(at, at + size), '*')
      }
    }
  }
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password))
  const different = new Set(lower).size
  const bits = Math.min(lower.length, different * 1.8) * (2.4 + kinds.length * 0.8)
  if (bits < 20) return 0
  if (bits < 34) return 1
  if (bits < 48) return 2
  return bits < 64 ? 3 : 4
}
