import { parseUrl } from '../../http/parse-url.ts'
import { invalidInput } from '../../input/refusal.ts'

/** An API as its address names it. */
export interface ProtectedResource {
  readonly resource: string
  /** The path of its metadata on its host. @see RFC 9728, section 3.1 */
  readonly path: string
  readonly url: string
}

/** The API of an identifier; `undefined` if it is not the URL of one. @see RFC 9728, section 1.2 */
export function protectedResource(resource: string): ProtectedResource | undefined {
  const url = parseUrl(resource)
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  if (url.search + url.hash + url.username + url.password !== '') return undefined
  // Such a path would be a pattern of a route.
  if (/\/[:*]/.test(url.pathname)) return undefined
  const path = `/.well-known/oauth-protected-resource${url.pathname === '/' ? '' : url.pathname}`
  return { resource, path, url: `${url.origin}${path}` }
}

/** Where the metadata of an API are. @throws {GatehouseError} `InvalidInput` if it is not one URL. */
export function metadataUrlOf(audience: string | readonly string[] | undefined): string {
  const [resource = '', ...others] = [audience ?? []].flat()
  const url = others.length === 0 ? protectedResource(resource)?.url : undefined
  if (url === undefined) {
    const given = [audience ?? 'none'].flat().join(', ')
    throw invalidInput('options.audience', 'the URL of the API, for resourceMetadata', given)
  }
  return url
}
