import type { Answer } from '../../http/answer.ts'
import type { AuthContext } from '../context.ts'
import { maxLanguages } from '../flow/languages.ts'
import { acceptedLanguages } from '../flows/request-facts.ts'
import { type PageLanguage, pageLanguage, pageLanguages } from '../messages/words/languages.ts'
import { type Page, pageAnswer } from './page-answer.ts'

/** How a request for a page is answered: in its language, with the look of the app. */
export interface PageView {
  readonly language: PageLanguage
  show(page: Page): Answer
}

/** A request for a page. Without a method, it is a GET. */
type PageRequest = {
  readonly method?: string | undefined
  readonly headers: Pick<Headers, 'get'>
}

/** The parameter that names the language of a page. @see OpenID Connect Core, section 3.1.2.1 */
const languageParameter = 'ui_locales'

/** A longer query is not repeated for each language. */
const maxQueryLength = 2_000

/**
 * The view of a request for a page without scripts: in the language of `ui_locales` in its query or of its header
 * `Accept-Language`, with the look that the app gave to its messages and sign-in pages. The page has a link for each other language.
 */
export function pageViewOf(
  { brand, config }: Pick<AuthContext, 'brand' | 'config'>,
  { method = 'GET', headers }: PageRequest,
  query: string,
): PageView {
  const { http, localization } = config.current
  const asked = new URLSearchParams(query).get(languageParameter) ?? ''
  const accepted = acceptedLanguages(headers.get('accept-language') ?? '')
  const language = pageLanguage([...asked.split(/[ ,]+/, maxLanguages), ...accepted], localization)
  const look = { language, brand: brand.current, origin: http.public_origin }
  const isRead = method === 'GET' || method === 'HEAD'
  const inLanguage = (tag: string): string => {
    const parameters = new URLSearchParams(query)
    parameters.set(languageParameter, tag)
    return `?${parameters}`
  }
  const offered = pageLanguages(localization)
  const isSwitched = offered.length > 1 && inLanguage(language).length <= maxQueryLength
  const choices = offered.map((tag) => ({ language: tag, href: inLanguage(tag) }))
  return {
    language,
    show(page) {
      // Without more, a page can be had again by its address alone, so only after a GET.
      const isRepeatable = isRead || page.repeat !== undefined
      return pageAnswer(asked === '' ? page : stayingIn(page, language), {
        ...look,
        choices: isSwitched && isRepeatable ? choices : [],
      })
    },
  }
}

/** The page whose form keeps the language that people chose. */
function stayingIn(page: Page, language: PageLanguage): Page {
  const { form } = page
  if (form?.action === undefined) return page
  const separator = form.action.includes('?') ? '&' : '?'
  return {
    ...page,
    form: { ...form, action: `${form.action}${separator}${languageParameter}=${language}` },
  }
}
