import type { LoginIdLists } from '@gatehouse/core/auth'
import {
  built,
  choice,
  listOf,
  mapping,
  optional,
  type Schema,
  text,
} from '@gatehouse/core/document'
import { fileText } from '../config/kinds.ts'

type Words = readonly string[] | undefined

/** The lists for checking login IDs and email domains. */
interface ListsSection {
  readonly email_domain_allowlist: Words
  readonly email_domain_blocklist: Words
  readonly free_email_provider_domains: Words
  readonly disposable_email_domains: Words
  readonly reserved_usernames: Words
  readonly excluded_keywords: Words
}

const wordList = listOf(text)
const wordFile = built(fileText, wordsOf)
const words: Schema<readonly string[]> = choice([wordFile, wordList], (given) =>
  Array.isArray(given) ? wordList : wordFile,
)

const parts = mapping<ListsSection>(
  {
    email_domain_allowlist: optional(words, 'The only email domains accepted.'),
    email_domain_blocklist: optional(words, 'Email domains that are refused.'),
    free_email_provider_domains: optional(words, 'Domains of free email providers.'),
    disposable_email_domains: optional(words, 'Domains of disposable email addresses.'),
    reserved_usernames: optional(words, 'Reserved user names. Default: a list of a few hundred.'),
    excluded_keywords: optional(words, 'Words that user names must not contain.'),
  },
  { title: 'AuthLists' },
)

const names = {
  email_domain_allowlist: 'emailDomainAllowlist',
  email_domain_blocklist: 'emailDomainBlocklist',
  free_email_provider_domains: 'freeEmailProviderDomains',
  disposable_email_domains: 'disposableEmailDomains',
  reserved_usernames: 'reservedUsernames',
  excluded_keywords: 'excludedKeywords',
} as const satisfies Record<keyof ListsSection, keyof LoginIdLists>

/** The schema of the section `lists`. A list is an array of words, or a file of words. */
export const listsSection: Schema<LoginIdLists> = built(
  parts,
  (given): LoginIdLists =>
    Object.fromEntries(
      Object.entries(given)
        .filter(([, list]) => list !== undefined)
        .map(([key, list]) => [names[key as keyof ListsSection], list]),
    ),
)

/** One word a line; `#` starts a comment. */
function wordsOf(content: string): readonly string[] {
  return content
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
}
