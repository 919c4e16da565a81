import type { Server } from 'node:http'
import type { ServerOptions } from 'node:https'
import { Server as TlsServer } from 'node:tls'
import type { Logger, Route } from '@gatehouse/core'
import { type Answer, type RouteRequest, textAnswer } from '@gatehouse/core/adapter'
import { readConfigFile } from '../config/config-file.ts'
import type { ReadFiles } from '../config/read-files.ts'
import { type BasicAuth, createBasicAuth } from './basic-auth.ts'
import { createRateLimiter } from './rate-limit.ts'
import { checkClientCertificates, readTlsOptions } from './tls.ts'
import { type TlsServerConfig, webConfigKind } from './web-config.ts'

/** Checks that come before every route: TLS, basic authentication, a rate limit, and headers added to every response. */
export interface WebGuard {
  /** The TLS settings; `undefined` for plain HTTP. */
  readonly tls: ServerOptions | undefined
  /** Applies the rules to a server. */
  prepare(server: Server): void
  /** The routes behind the guard. */
  protect(routes: readonly Route[]): readonly Route[]
  /** Replaces the rules. TLS stays on or off; a rule that says otherwise is logged. */
  replace(rules: GuardRules, logger: Logger): void
}

/** The rules that a guard enforces. */
export interface GuardRules {
  readonly tls: ServerOptions | undefined
  /** Requirements for client certificates beyond those that Node checks by `tls`. */
  readonly clients: TlsServerConfig | undefined
  readonly signIn: BasicAuth | undefined
  /** Whether the rate limit lets one more request through, at an instant in ms. */
  readonly fits: (now: number) => boolean
  readonly headers: ReadonlyMap<string, string>
}

const alwaysFits = (): boolean => true

/** Rules that let everything through. */
export const openRules: GuardRules = {
  tls: undefined,
  clients: undefined,
  signIn: undefined,
  fits: alwaysFits,
  headers: new Map(),
}

/** Whether the rules check and add nothing. */
function letsThrough({ signIn, fits, headers }: GuardRules): boolean {
  return signIn === undefined && fits === alwaysFits && headers.size === 0
}

/**
 * Reads the rules of a web configuration file.
 *
 * @throws {GatehouseError} `InvalidConfig`
 * @throws {Error} if a file cannot be read or is not valid.
 */
export async function readGuardRules(filename: string, files: ReadFiles): Promise<GuardRules> {
  const file = await readConfigFile(filename, webConfigKind, files)
  const { tls_server_config: tls, basic_auth_users: users, rate_limit } = file.value
  const { interval: intervalMs, burst } = rate_limit
  // Loaded only for a file with users: it comes with the whole service.
  const verify = users.size > 0 ? (await import('./bcrypt.ts')).loadBcryptVerify() : undefined
  return {
    tls: tls && (await readTlsOptions(file, tls, files)),
    clients: tls,
    signIn: verify && createBasicAuth({ users, verify }),
    fits: intervalMs > 0 ? createRateLimiter({ intervalMs, burst }) : alwaysFits,
    headers: file.value.http_server_config.headers,
  }
}

/** Creates a guard with these rules. */
export function createWebGuard(first: GuardRules): WebGuard {
  let rules = first
  const servers: Server[] = []
  return {
    tls: first.tls,
    prepare(server) {
      if (first.tls === undefined) return
      servers.push(server)
      checkClientCertificates(server, () => rules.clients)
    },
    protect: (routes) => routes.map((route) => guardedRoute(route, () => rules)),
    replace(next, logger) {
      const isFitting = (next.tls === undefined) === (rules.tls === undefined)
      if (!isFitting)
        logger.warn({}, 'a change of TLS between on and off takes effect at the next start')
      const { tls, clients } = isFitting ? next : rules
      for (const server of servers) {
        if (tls !== undefined && server instanceof TlsServer) server.setSecureContext(tls)
      }
      rules = { ...next, tls, clients }
    },
  }
}

function guardedRoute(route: Route, rules: () => GuardRules): Route {
  const { method, path, connect } = route
  const guarded: Route = {
    method,
    path,
    async answer(request, info) {
      const current = rules()
      if (letsThrough(current)) return route.answer(request, info)
      const answer = (await refusal(current, request)) ?? (await route.answer(request, info))
      return withHeaders(answer, current.headers)
    },
  }
  if (connect === undefined) return guarded
  return {
    ...guarded,
    async connect(request, info) {
      const current = rules()
      const outcome = (await refusal(current, request)) ?? (await connect(request, info))
      return typeof outcome === 'function' ? outcome : withHeaders(outcome, current.headers)
    },
  }
}

async function refusal(rules: GuardRules, request: RouteRequest): Promise<Answer | undefined> {
  if (!rules.fits(performance.now())) return plain(429, 'Too Many Requests')
  if (rules.signIn === undefined) return undefined
  const signIn = await rules.signIn(request.headers.get('authorization'))
  if (signIn === 'accepted') return undefined
  if (signIn === 'busy') return plain(503, 'Too many passwords are being checked, try again later.')
  return plain(401, 'Unauthorized', { 'www-authenticate': 'Basic' })
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Answer {
  return textAnswer(status, `${text}\n`, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
}

function withHeaders(answer: Answer, added: ReadonlyMap<string, string>): Answer {
  if (added.size === 0) return answer
  const headers = { ...answer.headers }
  for (const [name, value] of added) if (value !== '') headers[name.toLowerCase()] = value
  return { ...answer, headers }
}
