import type { Answer } from './answer.ts'
import { refuseEarly } from './own-api/failure.ts'
import { parseUrl } from './parse-url.ts'
import type { RequestInfo, Route, RouteRequest } from './route.ts'

/**
 * Restricts routes to requests for a loopback address, a name without a dot, or one of `hosts`, and refuses others with 421. For
 * a server that listens on a loopback address: otherwise the page of a site whose name resolves to that address (DNS rebinding)
 * could send any request and read the answer.
 *
 * @param hosts names without a port, such as `alerts.example.com`; `*` means all.
 * @param onRefused called with the name of each refused request; a client chose it.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.5.20
 */
export function guardHosts(
  routes: readonly Route[],
  hosts: readonly string[] = [],
  onRefused: (host: string) => void = () => {},
): readonly Route[] {
  const names = new Set(hosts.map((host) => host.toLowerCase()))
  if (names.has('*')) return routes
  const refusalOf = ({ headers }: RouteRequest, info: RequestInfo): Answer | undefined => {
    const host = hostNameOf(headers.get('host'))
    if (host === undefined || isLocalName(host) || names.has(host)) return undefined
    onRefused(host.slice(0, maxNameLength))
    return misdirected(host.slice(0, maxNameLength), info)
  }
  return routes.map((route) => guarded(route, refusalOf))
}

/** The longest name of a host. */
const maxNameLength = 253

function guarded(
  route: Route,
  refusalOf: (request: RouteRequest, info: RequestInfo) => Answer | undefined,
): Route {
  const { connect } = route
  return {
    ...route,
    answer: async (request, info) => refusalOf(request, info) ?? route.answer(request, info),
    ...(connect === undefined
      ? {}
      : { connect: async (request, info) => refusalOf(request, info) ?? connect(request, info) }),
  }
}

/** The name in a `Host` header, without its port; `undefined` without a header, as in HTTP/1.0. */
function hostNameOf(header: string | null): string | undefined {
  if (header === null || header === '') return undefined
  return parseUrl(`http://${header}`)?.hostname ?? header.toLowerCase()
}

/**
 * Whether no site can control this name: `localhost` and names below it are resolved without DNS, and nobody can register a name
 * without a dot.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
const isLocalName = (host: string): boolean =>
  /^(?:.+\.)?localhost\.?$|^[^.:[\]]+$|^127(?:\.\d{1,3}){3}$|^\[::1\]$/.test(host)

function misdirected(host: string, info: RequestInfo): Answer {
  const shown = JSON.stringify(host)
  const message = `Host ${shown} is not allowed. Add it to allowed_hosts (--web.allowed-host).`
  return refuseEarly(info, 421, { reason: 'HostNotAllowed', message })
}
