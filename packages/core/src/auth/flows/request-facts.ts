import { plainAddress } from '../../http/ip-address.ts'
import type { AuthContext } from '../context.ts'
import { isLanguage, maxLanguages } from '../flow/languages.ts'
import type { RequestFacts } from '../flow/view.ts'
import { parseCookies } from '../sessions/cookies.ts'
import type { RequestContext } from './flow-result.ts'

/** The properties of the request that flows use. */
export function requestFacts(
  auth: AuthContext,
  { ip = '0.0.0.0', userAgent, acceptLanguage = '', cookie }: RequestContext,
): RequestFacts {
  const cookies = parseCookies(cookie ?? '')
  const prefix = auth.config.current.http.cookie_prefix
  const tokens = cookies.get(`${prefix}mfa_device_token`)?.split('.') ?? []
  return {
    ip: plainAddress(ip),
    user_agent: userAgent ?? null,
    languages: acceptLanguage === '' ? [] : acceptedLanguages(acceptLanguage),
    session_token: cookies.get(`${prefix}session`) ?? null,
    device_tokens: tokens.slice(0, 5),
  }
}

/** The languages of an `Accept-Language` header, the preferred one first. @see RFC 9110, section 12.5.4 */
export function acceptedLanguages(header: string): readonly string[] {
  return header
    .split(',', maxLanguages)
    .map((entry) => {
      const [tag = '', weight = ''] = entry.split(';')
      const [, q = '1'] = /^\s*q=([\d.]{1,5})\s*$/.exec(weight) ?? []
      return { tag: tag.trim(), q: Number(q) }
    })
    .filter(({ tag, q }) => isLanguage(tag) && q > 0)
    .sort((a, b) => b.q - a.q)
    .map(({ tag }) => tag)
}
