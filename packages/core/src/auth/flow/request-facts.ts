import type { AuthContext } from '../context.ts'
import { parseCookies } from '../cookies.ts'
import type { RequestContext } from '../flow-result.ts'
import { acceptedLanguages } from './languages.ts'
import type { RequestFacts } from './view.ts'

/** The properties of the request that flows use. */
export function requestFacts(
  auth: AuthContext,
  { ip = '0.0.0.0', userAgent, acceptLanguage = '', cookie }: RequestContext,
): RequestFacts {
  const cookies = parseCookies(cookie ?? '')
  const prefix = auth.config.current.http.cookie_prefix
  const tokens = cookies.get(`${prefix}mfa_device_token`)?.split('.') ?? []
  return {
    ip,
    user_agent: userAgent ?? null,
    languages: acceptLanguage === '' ? [] : acceptedLanguages(acceptLanguage),
    session_token: cookies.get(`${prefix}session`) ?? null,
    device_tokens: tokens.slice(0, 5),
  }
}
