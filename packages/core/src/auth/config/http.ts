import { sectionOf } from '../../document/fields.ts'
import { type Decode, findMember, memberOrSelf, report, warn } from '../../document/place.ts'
import { flag, integer, listOf, scalarAt, text, textLike } from '../../document/values.ts'
import type { LoadedAuthConfig } from './config.ts'
import { defaultAuthConfig } from './default-config.ts'
import { ignoring } from './ignored.ts'
import { anyOrigin, webOrigin } from './values.ts'

type Http = LoadedAuthConfig['http']

const mostProxies = 100

/** How many proxies are believed; `true` is one. */
const trustProxy: Decode<number> = (place) => {
  const scalar = scalarAt(place)
  if (scalar?.kind === 'flag') return scalar.value ? 1 : 0
  return integer(0, mostProxies)(place)
}

const cookiePrefix: Decode<string> = (place) => {
  const prefix = text(place)
  if (prefix === undefined || /^[\w-]{0,64}$/.test(prefix)) return prefix
  return report(place, 'out_of_range', 'must be at most 64 letters, digits, - and _')
}

/** Only characters that stand for themselves in a path and in a pattern of paths. */
const basePath: Decode<string> = (place) => {
  const written = text(place)
  if (written === undefined) return undefined
  const path = written.replace(/\/$/, '')
  const isPath = /^(?:\/[\w.~!$&'(),;=@-]+)*$/.test(path)
  if (isPath && !/\/\.{1,2}(?:\/|$)/.test(path)) return path
  return report(place, 'out_of_range', 'must be a path such as /auth')
}

const domainName = textLike(
  (name) => /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*$/.test(name),
  'the name of a domain, such as example.com',
)

const section = sectionOf<Http>(
  defaultAuthConfig('', '').http,
  {
    public_origin: webOrigin,
    base_path: basePath,
    allowed_origins: listOf(anyOrigin),
    cookie_prefix: cookiePrefix,
    cookie_domain: domainName,
    trust_proxy: trustProxy,
    allow_insecure: flag,
  },
  { required: ['public_origin'], ignored: ignoring('csp_directives') },
)

/** How the service is reached. */
export const http: Decode<Http> = (place) => {
  const given = section(place)
  const { public_origin: origin, allow_insecure, cookie_domain: domain } = given
  if (origin === '') return given
  if (origin.startsWith('http:') && !allow_insecure) {
    warn(
      memberOrSelf(place, 'public_origin'),
      'is not reached over TLS, which is all that is let in',
    )
  }
  const domainPlace = findMember(place, 'cookie_domain')
  if (domain !== undefined && domainPlace !== undefined && !isWithin(origin, domain)) {
    report(domainPlace, 'conflict', 'the public origin is not in this domain')
  }
  return given
}

function isWithin(origin: string, domain: string): boolean {
  const { hostname } = new URL(origin)
  return `.${hostname}`.endsWith(`.${domain.toLowerCase()}`)
}
