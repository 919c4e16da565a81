import type { PageLanguage } from '@gatehouse/core/auth'
import type { OidcText } from '../config/options.ts'

/** A text of the options in a language, else in English, else in the first one there is; `undefined` without any. */
export function textIn(text: OidcText | undefined, language: PageLanguage): string | undefined {
  if (text === undefined || typeof text === 'string') return text
  const all = Object.entries(text)
  const of = (wanted: string): string | undefined =>
    all.find(([tag]) => tag.toLowerCase().split('-')[0] === wanted)?.[1]
  return of(language) ?? of('en') ?? all[0]?.[1]
}
