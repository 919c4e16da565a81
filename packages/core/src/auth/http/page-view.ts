import type { Answer } from '../../http/answer.ts'
import type { AuthContext } from '../context.ts'
import { maxLanguages } from '../flow/languages.ts'
import { acceptedLanguages } from '../flows/request-facts.ts'
import { type PageLanguage, pageLanguage } from '../messages/words/languages.ts'
import { type Page, pageAnswer } from './page-answer.ts'

/** How a request for a page is answered: in its language, with the look of the app. */
export interface PageView {
  readonly language: PageLanguage
  show(page: Page): Answer
}

/**
 * The view of a request for a page without scripts: in the language of `ui_locales` in its query or of its header
 * `Accept-Language`, with the look that the app gave to its messages and sign-in pages.
 */
export function pageViewOf(
  { brand, config }: Pick<AuthContext, 'brand' | 'config'>,
  { headers }: { readonly headers: Pick<Headers, 'get'> },
  query: string,
): PageView {
  const { http, localization } = config.current
  const asked = new URLSearchParams(query).get('ui_locales') ?? ''
  const accepted = acceptedLanguages(headers.get('accept-language') ?? '')
  const language = pageLanguage([...asked.split(/[ ,]+/, maxLanguages), ...accepted], localization)
  const look = { language, brand: brand.current, origin: http.public_origin }
  return { language, show: (page) => pageAnswer(page, look) }
}
