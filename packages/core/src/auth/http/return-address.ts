import { parseUrl } from '../../http/parse-url.ts'
import type { AuthContext } from '../context.ts'
import { isOriginAllowed } from './cors.ts'

/**
 * Where a sign-in page may lead the browser, as an absolute address: to the service's own origin, or to one whose pages may call
 * the service. `undefined` for anywhere else, so that a link cannot lead people through the sign-in page to a stranger's.
 *
 * @param given an address, or a path of the service's own origin.
 */
export function returnAddress(
  { config }: Pick<AuthContext, 'config'>,
  given: string,
): string | undefined {
  const { public_origin: own } = config.current.http
  const url = parseUrl(given, own)
  // Not the path alone: that of `/.//elsewhere.example` begins with two slashes.
  return url !== undefined && isOriginAllowed(config.current, url.origin) ? url.href : undefined
}
