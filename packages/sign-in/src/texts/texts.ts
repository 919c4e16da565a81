import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { en, type TextKey, type Texts } from './en.ts'
import { directionOf, isLanguage, type Language } from './languages.ts'

export type { TextKey }

/** Writes a text of the page's language, with values for its placeholders. */
export type Write = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

/** The other languages are files of their own, which only their readers load. */
const loaders: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Texts>>> = {
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  ja: async () => (await import('./ja.ts')).ja,
  ar: async () => (await import('./ar.ts')).ar,
}

/** Loads a language. English stands in for one that cannot be loaded. */
export async function loadTexts(language: string): Promise<{ language: string; texts: Texts }> {
  if (!isLanguage(language) || language === 'en') return { language: 'en', texts: en }
  try {
    return { language, texts: await loaders[language]() }
  } catch {
    return { language: 'en', texts: en }
  }
}

/**
 * Values come from providers, addresses and apps, so they keep their own direction within a text of another.
 *
 * @param own texts of the app, which come first.
 */
export function writer(
  { texts, language }: { readonly texts: Texts; readonly language: string },
  own: Readonly<Record<string, string>>,
  always: Readonly<Record<string, string>>,
): Write {
  return (key, values = {}) => {
    const text = Object.hasOwn(own, key) ? (own[key] ?? '') : texts[key]
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name] ?? always[name]
      return value === undefined ? whole : isolated(String(value), language)
    })
  }
}

export interface Words {
  readonly t: Write
  /** Texts of the app, which may name what only the app knows. */
  readonly own: Readonly<Record<string, string>>
  readonly language: string
}

export const WordsContext = createContext<Words>({
  t: writer({ texts: en, language: 'en' }, {}, {}),
  own: {},
  language: 'en',
})

/** The texts of the page. */
export const useWords = (): Words => useContext(WordsContext)

/** Whether there is a text of this name: for names that come from the service. */
export const hasText = (key: string): key is TextKey => Object.hasOwn(en, key)

const isolated = (value: string, language: string): string =>
  directionOf(language) === 'rtl' && value !== '' ? `\u2068${value}\u2069` : value

/** What is known of something, such as its date and its address, in one line. */
export const joined = (parts: readonly (string | null | undefined)[], language: string): string =>
  parts.flatMap((part) => (part ? [isolated(part, language)] : [])).join('\u00a0· ')

/** A length of time in words: `4 minutes`. */
export function timeInWords(ms: number, language: string): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  const [count, unit] =
    seconds < 90
      ? [seconds, 'second']
      : seconds < 5_400
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3_600), 'hour']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

export const dateInWords = (iso: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(iso))

export const momentInWords = (iso: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  )

/** A country by its name in the language of the page; `undefined` if the code is not one. */
export function countryInWords(code: string | undefined, language: string): string | undefined {
  if (code === undefined || !/^[A-Z]{2}$/i.test(code)) return undefined
  return new Intl.DisplayNames([language], { type: 'region' }).of(code.toUpperCase())
}
