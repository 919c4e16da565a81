import { parseBasePath } from '../../document/base-path.ts'
import {
  built,
  checked,
  flag,
  listOf,
  mapping,
  noted,
  optional,
  parsedText,
  required,
  type Schema,
  text,
  textLike,
  withDefault,
} from '../../document/schema.ts'
import { trustedProxiesNote } from '../../http/client-reader.ts'
import { isLoopbackHost } from '../../http/loopback.ts'
import { parseUrl } from '../../http/parse-url.ts'
import type { LoadedAuthConfig } from './config.ts'
import { ignoring } from './ignored.ts'
import { originOf, originRule, webOrigin } from './values.ts'

const cookiePrefix = textLike(
  // The characters of a token. @see RFC 6265, section 4.1.1
  (prefix) => /^[\w!#$%&'*+.^`|~-]{0,64}$/.test(prefix),
  "at most 64 letters, digits and any of !#$%&'*+-.^_`|~",
  text,
)

const basePath: Schema<string> = parsedText(
  (written, report) =>
    parseBasePath(written) ?? report('out_of_range', 'must be a path such as /auth'),
)

const domainName = built(
  textLike(
    (name) => /^\.?[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*$/.test(name),
    'the name of a domain, such as example.com',
  ),
  // Browsers ignore a dot at the beginning.
  (name) => name.replace(/^\./, ''),
)

/**
 * An origin of the web; one of an application that shows web pages, as `capacitor://localhost`; or a text that stands for several.
 */
const anyOrigin: Schema<string> = noted(
  parsedText((written, report) => {
    const isOfApp =
      !/^https?:/i.test(written) && /^[a-z][a-z0-9+.-]*:\/\/[\w.-]+(?::\d+)?$/.test(written)
    if (isOfApp) return written
    if (isOpenOrigin(written)) return written.toLowerCase()
    return originOf(written) ?? report('out_of_range', originRule)
  }),
  (origin) => (isEverySite(origin) ? 'has no effect here: name the sites' : undefined),
)

const movedKeys = new Map([['trust_proxy', trustedProxiesNote]])

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
        'Origins of other web pages that may call the service, as `https://app.example.com`, `app.example.com` or `https://*.example.com`. Default: none.',
      ),
      cookie_prefix: withDefault(cookiePrefix, '', 'The beginning of the names of cookies.'),
      cookie_domain: optional(
        domainName,
        'The domain of cookies, which contains the public origin. Default: only that host.',
      ),
      allow_insecure: withDefault(
        flag,
        false,
        'Whether requests without TLS are accepted. Without it they are only where `public_origin` is `http:` on `localhost`, `127.0.0.1` or `[::1]`, from that machine, unless `NODE_ENV` is `production`.',
      ),
    },
    { notes: movedKeys, ignored: ignoring('csp_directives', 'hosts', 'admin_hosts') },
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
  'begins with http:, and requests without TLS are refused: name the proxies in front that serve HTTPS (trusted_proxies, or trustedProxies of the adapter), or set http.allow_insecure'

/** Whether an origin is of this machine, without TLS. */
export function isPlainLoopback(origin: string): boolean {
  return origin.startsWith('http:') && isLoopbackHost(new URL(origin).hostname)
}

function isWithin(origin: string, domain: string): boolean {
  const { hostname } = new URL(origin)
  return `.${hostname}`.endsWith(`.${domain.toLowerCase()}`)
}

/** A host, perhaps with a scheme and a port; its labels may be `*`. @see Authgear, `http.allowed_origins` */
const openForm = /^(?:(https?):\/\/)?((?:\*|[a-z\d_-]+)(?:\.(?:\*|[a-z\d_-]+))*)(?::(\d{1,5}))?$/i

/** Whether a text stands for several origins: it has no scheme, or `*` for a label of its host. */
const isOpenOrigin = (text: string): boolean =>
  openForm.test(text) && (text.includes('*') || !/^https?:/i.test(text))

/** Whether a text stands for the origins of sites that have nothing in common: fewer than two of its labels are fixed. */
function isEverySite(text: string): boolean {
  const [, , host = ''] = openForm.exec(text) ?? []
  const labels = host.split('.')
  return labels.includes('*') && labels.slice(labels.lastIndexOf('*') + 1).length < 2
}

/** Whether an origin is the one that a text of `http.allowed_origins` names, or one of those that it stands for. */
export function isOriginOf(text: string, origin: string): boolean {
  if (text === origin || !isOpenOrigin(text)) return text === origin
  const [, scheme, host = '', port = ''] = openForm.exec(text) ?? []
  const url = parseUrl(origin)
  if (url === undefined || isEverySite(text) || !/^https?:$/.test(url.protocol)) return false
  if (scheme !== undefined && url.protocol !== `${scheme}:`) return false
  const usual = url.protocol === 'https:' ? '443' : '80'
  if ((url.port || usual) !== (port || usual)) return false
  const labels = host.split('.')
  const given = url.hostname.split('.')
  return (
    labels.length === given.length &&
    labels.every((label, index) => label === given[index] || label === '*')
  )
}

/** The origins among the texts of `http.allowed_origins`; without a scheme `https` is meant. */
export const singleOrigins = (texts: readonly string[]): readonly string[] =>
  texts
    .filter((text) => !text.includes('*'))
    .map((text) => (isOpenOrigin(text) ? `https://${text}` : text))
