import type { FramedAnswer } from '@gatehouse/core/auth'
import type { OidcPlace } from '../config/settings.ts'

/** The parameter that names the language of a page. @see OpenID Connect Core, section 3.1.2.1 */
export const languageParameter = 'ui_locales'

/** Longer wishes are not kept. */
const maxWish = 100

/** The language that people chose on a page, which its address names; `undefined` if they have not. */
export function chosenLanguage(query: string): string | undefined {
  const wish = new URLSearchParams(query).get(languageParameter)
  return wish === null || wish === '' || wish.length > maxWish ? undefined : wish
}

/** The answer to a request in which people chose a language, which the next page of this server has, too. */
export function keepingLanguage(
  answer: FramedAnswer,
  { issuer, basePath }: OidcPlace,
  query: string,
): FramedAnswer {
  const { location } = answer.headers
  const chosen = chosenLanguage(query)
  if (typeof location !== 'string' || chosen === undefined) return answer
  const { origin } = new URL(issuer)
  const next = new URL(location, origin)
  const isOwn = next.origin === origin && next.pathname.startsWith(`${basePath}/`)
  if (!isOwn || next.searchParams.has(languageParameter)) return answer
  next.searchParams.set(languageParameter, chosen)
  return { ...answer, headers: { ...answer.headers, location: next.href } }
}
