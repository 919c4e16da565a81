import { normalizeText } from './case-folding.ts'
import { type Domain, readDomain } from './domain.ts'
import {
  blocked,
  type LoginIdProblem,
  type LoginIdUse,
  type NormalizedLoginId,
  wrongFormat,
} from './login-id-problem.ts'

/** What e-mail addresses must be like, in the words of the configuration. */
export interface EmailOptions {
  readonly case_sensitive: boolean
  readonly block_plus_sign: boolean
  readonly ignore_dot_sign: boolean
  readonly domain_blocklist_enabled: boolean
  readonly domain_allowlist_enabled: boolean
  readonly block_free_email_provider_domains: boolean
  readonly block_disposable_email_domains: boolean
}

/** What e-mail addresses are checked against. */
export interface EmailRules extends EmailOptions {
  /** In code points. */
  readonly maxLength: number
  /** Made by {@link createDomainSet}, like the other sets. */
  readonly domainBlocklist: ReadonlySet<string>
  readonly domainAllowlist: ReadonlySet<string>
  readonly freeProviderDomains: ReadonlySet<string>
  readonly disposableDomains: ReadonlySet<string>
}

/** An address in its two parts. */
export interface EmailAddress {
  readonly local: string
  readonly domain: Domain
}

/** Which characters an address may have before the `@`, between dots. Beyond ASCII: what is seen. */
const atom = /^(?:[\w!#$%&'*+/=?^`{|}~-]|(?!\p{DI})(?!\p{ASCII})[\p{L}\p{M}\p{N}\p{S}\p{P}])+$/u

/**
 * Reads an address of the form `local@domain`; `undefined` for what is none. Quoted local parts and IP addresses are not
 * taken, though RFC 5322 has them: nobody signs in with one, and mail programs disagree about what they mean.
 *
 * @see RFC 5322, section 3.4.1; RFC 6532 for letters beyond ASCII
 */
export function readEmail(text: string): EmailAddress | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const domain = readDomain(text.slice(at + 1))
  // What compatibility makes of a character may have a meaning: `℀` is `a/c`, a wide `＠` is an `@`.
  const areLocal = [local, normalizeText(local, true)].every(isLocalPart)
  return areLocal && domain !== undefined ? { local, domain } : undefined
}

const isLocalPart = (local: string): boolean => local.split('.').every((part) => atom.test(part))

/** An e-mail address as it is compared, or why it is none. */
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
  // Where a dot was, two characters may become one.
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
 * Domains, as from the lines of a file, to be compared with those of addresses. Empty ones are passed over. A domain stands
 * for itself, not for those below it.
 */
export function createDomainSet(domains: Iterable<string>): ReadonlySet<string> {
  const set = new Set<string>()
  for (const text of domains) {
    const domain = readDomain(text.trim())
    if (domain !== undefined) set.add(domain.ascii)
  }
  return set
}
