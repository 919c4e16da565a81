import {
  built,
  checked,
  choice,
  flag,
  integer,
  listOf,
  mapping,
  optional,
  parsedText,
  required,
  type Schema,
  text,
  textLike,
  withDefault,
} from '../../document/schema.ts'
import { isLoopbackHost } from '../../http/loopback.ts'
import type { LoadedAuthConfig } from './config.ts'
import { ignoring } from './ignored.ts'
import { anyOrigin, webOrigin } from './values.ts'

const proxyCount = integer(0, 100)
const oneProxy = built(flag, (isOne): number => (isOne ? 1 : 0))
const trustProxy = choice([proxyCount, oneProxy], (given) =>
  typeof given === 'boolean' ? oneProxy : proxyCount,
)

const cookiePrefix = textLike(
  (prefix) => /^[\w-]{0,64}$/.test(prefix),
  'at most 64 letters, digits, - and _',
  text,
)

/** Only characters that stand for themselves in a path and in a pattern of paths. */
const basePath: Schema<string> = parsedText((written, report) => {
  const path = written.replace(/\/$/, '')
  const isPath = /^(?:\/[\w.~!$&'(),;=@-]+)*$/.test(path)
  if (isPath && !/\/\.{1,2}(?:\/|$)/.test(path)) return path
  return report('out_of_range', 'must be a path such as /auth')
})

const domainName = textLike(
  (name) => /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*$/.test(name),
  'the name of a domain, such as example.com',
)

/** How the service is reached. */
export const http: Schema<LoadedAuthConfig['http']> = checked(
  mapping(
    {
      public_origin: required(
        webOrigin,
        'The origin as browsers see it, such as `https://auth.example.com`.',
      ),
      base_path: withDefault(
        basePath,
        '',
        'Where the routes begin, such as `/auth`. A change needs a restart. Default: at the root.',
      ),
      allowed_origins: withDefault(
        listOf(anyOrigin),
        [],
        'Origins of other web pages that may call the service. Default: none.',
      ),
      cookie_prefix: withDefault(cookiePrefix, '', 'The beginning of the names of cookies.'),
      cookie_domain: optional(
        domainName,
        'The domain of cookies, which contains the public origin. Default: only that host.',
      ),
      trust_proxy: withDefault(trustProxy, 0, 'Number of trusted reverse proxies. `true` means 1.'),
      allow_insecure: withDefault(
        flag,
        false,
        'Whether requests without TLS are accepted. Without it they are only where `public_origin` is `http:` on `localhost`, `127.0.0.1` or `[::1]`, from that machine, unless `NODE_ENV` is `production`.',
      ),
    },
    { ignored: ignoring('csp_directives') },
  ),
  ({ value: { public_origin: origin, allow_insecure, cookie_domain: domain }, report, warn }) => {
    if (origin === undefined) return
    if (origin.startsWith('http:') && allow_insecure !== true) {
      warn(['public_origin'], isPlainLoopback(origin) ? developmentOnly : notServed)
    }
    if (domain !== undefined && !isWithin(origin, domain)) {
      report(['cookie_domain'], 'conflict', 'must contain the public origin')
    }
  },
)

const developmentOnly =
  'begins with http:, which is for development: plain HTTP is accepted from this machine alone, and never with NODE_ENV=production'
const notServed =
  'begins with http:, and requests without TLS are refused: set http.trust_proxy to the number of proxies in front that serve HTTPS, or http.allow_insecure'

/** Whether an origin is of this machine, without TLS. */
export function isPlainLoopback(origin: string): boolean {
  return origin.startsWith('http:') && isLoopbackHost(new URL(origin).hostname)
}

function isWithin(origin: string, domain: string): boolean {
  const { hostname } = new URL(origin)
  return `.${hostname}`.endsWith(`.${domain.toLowerCase()}`)
}
