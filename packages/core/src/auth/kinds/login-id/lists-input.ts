import { type Decode, exactly, listOf, optional, rawText } from '../../../input/decode.ts'
import { refuse, refuseShown } from '../../../input/refusal.ts'
import { readDomain } from '../../login-ids/domain.ts'
import type { LoginIdLists } from './login-id-rules.ts'

const maxItems = 1_000_000

/** Any iterable of texts, such as a `Set`; a text alone would be read as its characters. */
function textsOf(item: Decode<string>): Decode<readonly string[]> {
  const list = listOf(item)
  return (value) => {
    if (!isIterable(value)) return refuse('a list of strings', value)
    const items: unknown[] = []
    for (const one of value) {
      if (items.push(one) > maxItems) return refuse(`a list of at most ${maxItems}`, value)
    }
    return list(items)
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value

/** Ignores empty lines. */
const domain: Decode<string> = (value) => {
  const text = rawText(value).trim()
  return text === '' || readDomain(text) !== undefined ? text : refuseShown('a domain name', text)
}

const domains = optional(textsOf(domain))
const words = optional(textsOf(rawText))

/** The lists that login IDs are checked against. */
export const loginIdLists: Decode<LoginIdLists> = exactly<LoginIdLists>({
  emailDomainAllowlist: domains,
  emailDomainBlocklist: domains,
  freeEmailProviderDomains: domains,
  disposableEmailDomains: domains,
  reservedUsernames: words,
  excludedKeywords: words,
})
