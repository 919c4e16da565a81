/** The languages of the pages, each by its own name. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  ar: 'العربية',
} as const

export type Language = keyof typeof languageNames

export const directionOf = (language: string): 'rtl' | 'ltr' => (language === 'ar' ? 'rtl' : 'ltr')

export const isLanguage = (name: string): name is Language => Object.hasOwn(languageNames, name)

/** Only this many wishes are read, because clients control their number. */
const maxWishes = 20

/**
 * The language that is wished for most, of those that there are: first what an app asks for (`ui_locales`), then the browser's
 * languages (`Accept-Language`), then the default.
 *
 * @see OpenID Connect Core, section 3.1.2.1; RFC 9110, section 12.5.4
 */
export function chooseLanguage(
  uiLocales: string,
  acceptLanguage: string,
  offered: readonly Language[],
): Language {
  const accepted = acceptLanguage
    .split(',', maxWishes)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim())
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2)
      return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
  const wished = [...uiLocales.split(' ', maxWishes), ...accepted].map(
    (tag) => tag.toLowerCase().split('-')[0] ?? '',
  )
  return (
    wished.flatMap((name) => offered.filter((language) => language === name))[0] ??
    offered[0] ??
    'en'
  )
}
