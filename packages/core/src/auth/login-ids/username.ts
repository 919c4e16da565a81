import { normalizeText } from './case-folding.ts'
import { isConfusable } from './confusable.ts'
import {
  blocked,
  type LoginIdProblem,
  type LoginIdUse,
  type NormalizedLoginId,
  wrongFormat,
} from './login-id-problem.ts'

/** The configured rules for usernames. */
export interface UsernameOptions {
  readonly case_sensitive: boolean
  readonly ascii_only: boolean
  readonly block_reserved_usernames: boolean
  readonly exclude_keywords_enabled: boolean
}

/** All rules for usernames. */
export interface UsernameRules extends UsernameOptions {
  /** In code points. */
  readonly maxLength: number
  /** Names that are refused. Made by {@link createWordSet}, like the other set. */
  readonly reservedUsernames: ReadonlySet<string>
  /** Words that names must not contain. */
  readonly excludedKeywords: ReadonlySet<string>
}

const asciiName = /^[a-zA-Z0-9_\-.]*$/
/** Letters, digits and their marks, and visible ASCII; a mark needs a base character. @see RFC 8264, section 4.2 */
const identifier =
  /^(?!\p{M})(?:[!-~]|(?!\p{DI})(?!\p{ASCII})[\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Nd}\p{Mn}\p{Mc}])+$/u
/** Parts of Hangul syllables that NFKC could not combine. */
const hangulJamo = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/

/** Normalizes a username, or returns its problem. */
export function normalizeUsername(
  text: string,
  rules: UsernameRules,
  use: LoginIdUse,
): NormalizedLoginId {
  if (rules.ascii_only && !asciiName.test(text)) return { problem: wrongFormat('username') }
  const normalized = normalizeText(text, !rules.case_sensitive)
  const isName = identifier.test(normalized) && !hangulJamo.test(normalized)
  if (!isName) return { problem: wrongFormat('username') }
  if (isConfusable(normalized)) {
    const msg = 'username contains confusable characters'
    return { problem: { kind: 'general', details: { msg } } }
  }
  const problem = use === 'create' ? findBlock(normalized, rules) : undefined
  return problem === undefined ? { normalized, uniqueKey: normalized } : { problem }
}

function findBlock(name: string, rules: UsernameRules): LoginIdProblem | undefined {
  const folded = normalizeText(name, true)
  if (rules.block_reserved_usernames && rules.reservedUsernames.has(folded)) {
    return blocked('UsernameReserved')
  }
  const isExcluded = Array.from(rules.excludedKeywords).some((word) => folded.includes(word))
  const isBlocked = rules.exclude_keywords_enabled && isExcluded
  return isBlocked ? blocked('UsernameExcludedKeywords') : undefined
}

/** A set of words to compare with names, regardless of case, as from the lines of a file. Empty ones are ignored. */
export function createWordSet(words: Iterable<string>): ReadonlySet<string> {
  const set = new Set<string>()
  for (const word of words) {
    const folded = normalizeText(word.trim(), true)
    if (folded !== '') set.add(folded)
  }
  return set
}
