import { normalizeText } from './case-folding.ts'
import { type Domain, readDomain } from './domain.ts'
import {
  blocked,
  type LoginIdProblem,
  type LoginIdUse,
  type NormalizedLoginId,
  wrongFormat,
} from './login-id-problem.ts'

/** The configured rules for email addresses. */
export interface EmailOptions {
  readonly case_sensitive: boolean
  readonly block_plus_sign: boolean
  readonly ignore_dot_sign: boolean
  readonly domain_blocklist_enabled: boolean
  readonly domain_allowlist_enabled: boolean
  readonly block_free_email_provider_domains: boolean
  readonly block_disposable_email_domains: boolean
}

/** All rules for email addresses. */
export interface EmailRules extends EmailOptions {
  /** In code points. */
  readonly maxLength: number
  /** Made by {@link createDomainSet}, like the other sets. */
  readonly domainBlocklist: ReadonlySet<string>
  readonly domainAllowlist: ReadonlySet<string>
  readonly freeProviderDomains: ReadonlySet<string>
  readonly disposableDomains: ReadonlySet<string>
}

/** An address, split into its parts. */
export interface EmailAddress {
  readonly local: string
  readonly domain: Domain
}

/** The characters of a local part between dots. Beyond ASCII only visible characters are allowed. */
const atom = /^(?:[\w!#$%&'*+/=?^`{|}~-]|(?!\p{DI})(?!\p{ASCII})[\p{L}\p{M}\p{N}\p{S}\p{P}])+$/u

/**
 * Parses an address of the form `local@domain`; `undefined` if it is invalid. Quoted local parts and IP addresses are refused,
 * though RFC 5322 allows them: users do not sign in with one, and mail programs interpret them differently.
 *
 * @see RFC 5322, section 3.4.1; RFC 6532 for letters beyond ASCII
 */
export function readEmail(text: string): EmailAddress | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const domain = readDomain(text.slice(at + 1))
  // The compatible form of a character may be syntax: `℀` becomes `a/c`, a full-width `＠` becomes `@`.
  const areLocal = [local, normalizeText(local, true)].every(isLocalPart)
  return areLocal && domain !== undefined ? { local, domain } : undefined
}

const isLocalPart = (local: string): boolean => local.split('.').every((part) => atom.test(part))

/** Normalizes an email address, or returns its problem. */
export function normalizeEmail(
  text: string,
  rules: EmailRules,
  use: LoginIdUse,
): NormalizedLoginId {
  const address = readEmail(text)
  if (address === undefined) return { problem: wrongFormat('email') }
  const problem = use === 'create' ? findBlock(address, rules) : undefined
  if (problem !== undefined) return { problem }
  const isFolded = !rules.case_sensitive
  const composed = normalizeText(address.local, isFolded)
  // Without the dot, two characters may combine to one.
  const local = rules.ignore_dot_sign
    ? normalizeText(composed.replaceAll('.', ''), isFolded)
    : composed
  const { name, ascii } = address.domain
  return { normalized: `${local}@${name}`, uniqueKey: `${local}@${ascii}` }
}

function findBlock({ local, domain }: EmailAddress, rules: EmailRules): LoginIdProblem | undefined {
  if (rules.block_plus_sign && local.normalize('NFKC').includes('+')) {
    return blocked('BlockPlusSign')
  }
  if (rules.domain_allowlist_enabled && !rules.domainAllowlist.has(domain.ascii)) {
    return blocked('EmailDomainAllowlist')
  }
  const lists = [
    ['custom', rules.domain_blocklist_enabled, rules.domainBlocklist],
    ['free', rules.block_free_email_provider_domains, rules.freeProviderDomains],
    ['disposable', rules.block_disposable_email_domains, rules.disposableDomains],
  ] as const
  const list = lists.find(([, isEnabled, domains]) => isEnabled && domains.has(domain.ascii))
  return list && blocked('EmailDomainBlocklist', { blocklist: list[0] })
}

/**
 * A set of domains to compare with those of addresses, as from the lines of a file. Empty ones are ignored. A domain does not
 * match its subdomains.
 */
export function createDomainSet(domains: Iterable<string>): ReadonlySet<string> {
  const set = new Set<string>()
  for (const text of domains) {
    const domain = readDomain(text.trim())
    if (domain !== undefined) set.add(domain.ascii)
  }
  return set
}
