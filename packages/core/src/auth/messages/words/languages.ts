import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import type { Words } from './words.ts'

/** A language in which the service has words. */
export type PageLanguage = 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar'

const words: Readonly<Record<PageLanguage, Words>> = { en, de, fr, es, ja, ar }

/** What the service says to people, by language. */
export const wordsOf: ReadonlyMap<string, Words> = new Map(Object.entries(words))

/** The words of a language, else those of English. */
export const wordsIn = (language: string): Words => wordsOf.get(language) ?? en

/** Whether a language is written from right to left. */
export const isRightToLeft = (language: string): boolean => /^(?:ar|fa|he|ur)\b/.test(language)

/** More wishes than people have: of a flow, of its browser, and one of a profile. */
const maxWishes = 21

/** The languages that serve a wish, the best first: `pt-br` before `pt`, in lower case. */
const candidatesOf = (wishes: readonly string[]): readonly string[] =>
  wishes.slice(0, maxWishes).flatMap((wish) => {
    const tag = wish.toLowerCase()
    const [language = ''] = tag.split('-')
    return [tag, language]
  })

/** Which languages an app writes in. */
export interface Localization {
  /** For people whose languages are not among them. */
  readonly fallback_language: string
  /** The only ones; `undefined` for all that there are texts in. */
  readonly supported_languages: readonly string[] | undefined
}

/** The languages to write in, the best first. */
export function languagesFor(
  wishes: readonly string[],
  { fallback_language: fallback, supported_languages: supported }: Localization,
): readonly string[] {
  const offered = supported?.map((tag) => tag.toLowerCase())
  const wished = candidatesOf(wishes).filter((tag) => offered?.includes(tag) ?? true)
  return [...wished, ...candidatesOf([fallback]), 'en']
}

/** The language of a page, whose words are built in. */
export const pageLanguage = (wishes: readonly string[], localization: Localization): PageLanguage =>
  languagesFor(wishes, localization).find(isPageLanguage) ?? 'en'

const isPageLanguage = (tag: string): tag is PageLanguage => Object.hasOwn(words, tag)

/** The languages that an app offers on pages whose words are built in. */
export const pageLanguages = ({
  supported_languages: supported,
}: Pick<Localization, 'supported_languages'>): readonly PageLanguage[] => {
  const offered = supported && candidatesOf(supported)
  return [...wordsOf.keys()].filter(isPageLanguage).filter((tag) => offered?.includes(tag) ?? true)
}

/** A language as its speakers call it, at the beginning of a line. */
export function languageName(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

/** Keeps the direction of a value from elsewhere, such as an address or a name, within a text of another. */
export const isolated = (value: string, language: string): string =>
  isRightToLeft(language) ? `\u2068${value}\u2069` : value

/** Puts values in the place of their names in braces. */
export const filled = (
  text: string,
  values: Readonly<Record<string, string>>,
  language: string,
): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : isolated(value, language)
  })
