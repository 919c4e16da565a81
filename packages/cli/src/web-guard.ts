import type { Server } from 'node:http'
import type { ServerOptions } from 'node:https'
import { Server as TlsServer } from 'node:tls'
import type { Logger } from '@gatehouse/core'
import { type BasicAuth, createBasicAuth, loadBcrypt } from './basic-auth.ts'
import { failureLines, readConfigFile } from './config-file.ts'
import type { FetchHandler } from './listen.ts'
import { createRateLimiter } from './rate-limit.ts'
import { checkClientCertificates, readTlsOptions } from './tls.ts'
import { type WebConfig, webConfigKind } from './web-config.ts'

/** What stands before every request: TLS, basic authentication, a rate limit, and headers added to every answer. */
export interface WebGuard {
  /** The TLS settings; without them plain HTTP is served. */
  readonly tls: ServerOptions | undefined
  /** Makes a server follow the configuration. */
  prepare(server: Server): void
  /** The handler behind the guard. */
  protect(fetch: FetchHandler): FetchHandler
  /** Reads the file and the certificates again. A bad one is logged, and what was read before stays. */
  reload(logger: Logger): Promise<void>
}

/** One reading of the file. */
interface Rules {
  readonly config: WebConfig
  readonly tls: ServerOptions | undefined
  readonly signIn: BasicAuth | undefined
  readonly fits: (now: number) => boolean
}

/** A guard that lets everything through. */
export const openGuard: WebGuard = {
  tls: undefined,
  prepare: () => {},
  protect: (fetch) => fetch,
  reload: async () => {},
}

/**
 * The guard a web configuration file describes.
 *
 * @throws {GatehouseError} `InvalidConfig`
 * @throws {Error} if a file cannot be read or does not fit.
 */
export async function createWebGuard(filename: string): Promise<WebGuard> {
  let rules = await readRules(filename)
  const servers: Server[] = []
  return {
    tls: rules.tls,
    prepare(server) {
      if (rules.tls === undefined) return
      servers.push(server)
      checkClientCertificates(server, () => rules.config.tls_server_config)
    },
    protect: (fetch) => async (request, env) => {
      const { config } = rules
      const refused = await refusal(rules, request)
      const response = refused ?? (await fetch(request, env))
      return withHeaders(response, config.http_server_config.headers)
    },
    async reload(logger) {
      try {
        const next = await readRules(filename)
        if ((next.tls === undefined) !== (rules.tls === undefined)) {
          throw new Error(`${filename}: TLS cannot be switched on or off while the program runs`)
        }
        for (const server of servers) {
          if (next.tls !== undefined && server instanceof TlsServer)
            server.setSecureContext(next.tls)
        }
        rules = next
        logger.info({ file: filename }, 'web configuration loaded')
      } catch (error) {
        for (const line of failureLines(error, filename)) {
          logger.error({ error: line }, 'web configuration refused')
        }
      }
    },
  }
}

async function readRules(filename: string): Promise<Rules> {
  const file = await readConfigFile(filename, webConfigKind)
  const { tls_server_config, basic_auth_users: users, rate_limit } = file.value
  const { interval: intervalMs, burst } = rate_limit
  return {
    config: file.value,
    tls: tls_server_config && (await readTlsOptions(file, tls_server_config)),
    signIn: users.size > 0 ? createBasicAuth({ users, verify: await loadBcrypt() }) : undefined,
    fits: intervalMs > 0 ? createRateLimiter({ intervalMs, burst }) : () => true,
  }
}

async function refusal(rules: Rules, request: Request): Promise<Response | undefined> {
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
