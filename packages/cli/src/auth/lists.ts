import { resolve } from 'node:path'
import type { LoginIdLists } from '@gatehouse/core/auth'
import { type ConfigKind, texts } from '@gatehouse/core/config'
import { fileProblem } from '../config/config-file.ts'
import { section } from '../config/config-section.ts'
import { type Outside, type PlacedText, placedText, reportText } from '../config/outside-text.ts'

/** A list: its words, or a file that has them. */
type WordsSection = { readonly words: readonly string[] } | { readonly file: PlacedText }

/** The lists that names and domains are checked against. */
export interface ListsSection {
  readonly email_domain_allowlist: WordsSection | undefined
  readonly email_domain_blocklist: WordsSection | undefined
  readonly free_email_provider_domains: WordsSection | undefined
  readonly disposable_email_domains: WordsSection | undefined
  readonly reserved_usernames: WordsSection | undefined
  readonly excluded_keywords: WordsSection | undefined
}

const words: ConfigKind<WordsSection | undefined> = {
  typeName: 'file or list',
  zero: undefined,
  isOptional: true,
  decode(place) {
    if (place.node.kind === 'sequence') return { words: texts.decode(place) }
    const file = placedText.decode(place)
    return file && { file }
  },
  encode: () => undefined,
}

/** How the section is read. */
export const listsSection: ConfigKind<ListsSection> = section<ListsSection>({
  typeName: 'lists',
  fields: {
    email_domain_allowlist: { kind: words },
    email_domain_blocklist: { kind: words },
    free_email_provider_domains: { kind: words },
    disposable_email_domains: { kind: words },
    reserved_usernames: { kind: words },
    excluded_keywords: { kind: words },
  },
})

const names = {
  email_domain_allowlist: 'emailDomainAllowlist',
  email_domain_blocklist: 'emailDomainBlocklist',
  free_email_provider_domains: 'freeEmailProviderDomains',
  disposable_email_domains: 'disposableEmailDomains',
  reserved_usernames: 'reservedUsernames',
  excluded_keywords: 'excludedKeywords',
} as const satisfies Record<keyof ListsSection, keyof LoginIdLists>

/** Reads the lists that a section names; a file that cannot be read is noted. */
export async function readLists(given: ListsSection, outside: Outside): Promise<LoginIdLists> {
  const lists: { -readonly [Name in keyof LoginIdLists]: LoginIdLists[Name] } = {}
  for (const [key, value] of Object.entries(given)) {
    const name = names[key as keyof ListsSection]
    const list = await readWords(value, outside)
    if (list !== undefined) lists[name] = list
  }
  return lists
}

async function readWords(
  given: WordsSection | undefined,
  outside: Outside,
): Promise<readonly string[] | undefined> {
  if (given === undefined) return undefined
  if ('words' in given) return given.words
  const { file } = given
  try {
    const content = await outside.files.read(resolve(outside.directory, file.written))
    return wordsOf(content.toString('utf8'))
  } catch (error) {
    reportText(outside, file, `${file.written}: ${fileProblem(error)}`)
    return undefined
  }
}

/** A word on each line; what stands behind a `#` is no part of it. */
function wordsOf(text: string): readonly string[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
}
