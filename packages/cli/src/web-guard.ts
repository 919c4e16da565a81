import type { Server } from 'node:http'
import type { ServerOptions } from 'node:https'
import { Server as TlsServer } from 'node:tls'
import type { Logger } from '@gatehouse/core'
import { type BasicAuth, createBasicAuth, loadBcrypt } from './basic-auth.ts'
import { readConfigFile } from './config-file.ts'
import type { FetchHandler } from './listen.ts'
import { createRateLimiter } from './rate-limit.ts'
import type { ReadFiles } from './read-files.ts'
import { checkClientCertificates, readTlsOptions } from './tls.ts'
import { type TlsServerConfig, webConfigKind } from './web-config.ts'

/** What stands before every request: TLS, basic authentication, a rate limit, and headers added to every answer. */
export interface WebGuard {
  /** The TLS settings; without them plain HTTP is served. */
  readonly tls: ServerOptions | undefined
  /** Makes a server follow the rules. */
  prepare(server: Server): void
  /** The handler behind the guard. */
  protect(fetch: FetchHandler): FetchHandler
  /** Follows other rules from now on; TLS stays on or off as it is, which is logged if the rules say otherwise. */
  replace(rules: GuardRules, logger: Logger): void
}

/** What a guard makes sure of. */
export interface GuardRules {
  readonly tls: ServerOptions | undefined
  /** What clients must show beyond what Node checks by `tls`. */
  readonly clients: TlsServerConfig | undefined
  readonly signIn: BasicAuth | undefined
  /** Whether one more request is let in, at an instant in ms. */
  readonly fits: (now: number) => boolean
  readonly headers: ReadonlyMap<string, string>
}

const alwaysFits = (): boolean => true

/** Everything is let through. */
export const openRules: GuardRules = {
  tls: undefined,
  clients: undefined,
  signIn: undefined,
  fits: alwaysFits,
  headers: new Map(),
}

/** Whether a request meets nothing on its way. */
function letsThrough({ signIn, fits, headers }: GuardRules): boolean {
  return signIn === undefined && fits === alwaysFits && headers.size === 0
}

/**
 * The rules of a web configuration file.
 *
 * @throws {GatehouseError} `InvalidConfig`
 * @throws {Error} if a file cannot be read or does not fit.
 */
export async function readGuardRules(filename: string, files: ReadFiles): Promise<GuardRules> {
  const file = await readConfigFile(filename, webConfigKind, files)
  const { tls_server_config: tls, basic_auth_users: users, rate_limit } = file.value
  const { interval: intervalMs, burst } = rate_limit
  return {
    tls: tls && (await readTlsOptions(file, tls, files)),
    clients: tls,
    signIn: users.size > 0 ? createBasicAuth({ users, verify: await loadBcrypt() }) : undefined,
    fits: intervalMs > 0 ? createRateLimiter({ intervalMs, burst }) : alwaysFits,
    headers: file.value.http_server_config.headers,
  }
}

/** A guard that follows these rules. */
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
    protect: (fetch) => (request, env) => {
      if (letsThrough(rules)) return fetch(request, env)
      return guarded(rules, request, () => fetch(request, env))
    },
    replace(next, logger) {
      const isFitting = (next.tls === undefined) === (rules.tls === undefined)
      if (!isFitting) logger.warn({}, 'TLS is switched on or off at the next start')
      const { tls, clients } = isFitting ? next : rules
      for (const server of servers) {
        if (tls !== undefined && server instanceof TlsServer) server.setSecureContext(tls)
      }
      rules = { ...next, tls, clients }
    },
  }
}

async function guarded(
  rules: GuardRules,
  request: Request,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const refused = await refusal(rules, request)
  return withHeaders(refused ?? (await answer()), rules.headers)
}

async function refusal(rules: GuardRules, request: Request): Promise<Response | undefined> {
  if (!rules.fits(performance.now())) return plain(429, 'Too Many Requests')
  if (rules.signIn === undefined) return undefined
  const signIn = await rules.signIn(request.headers.get('authorization'))
  if (signIn === 'accepted') return undefined
  if (signIn === 'busy') return plain(503, 'Too many passwords are being checked, try again later.')
  return plain(401, 'Unauthorized', { 'WWW-Authenticate': 'Basic' })
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  })
}

function withHeaders(response: Response, headers: ReadonlyMap<string, string>): Response {
  if (headers.size === 0) return response
  const { status, statusText, body } = response
  const all = new Headers(response.headers)
  for (const [name, value] of headers) if (value !== '') all.set(name, value)
  return new Response(body, { status, statusText, headers: all })
}
