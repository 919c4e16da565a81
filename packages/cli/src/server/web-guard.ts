import type { Server } from 'node:http'
import type { ServerOptions } from 'node:https'
import { Server as TlsServer } from 'node:tls'
import type { Logger, Route } from '@gatehouse/core'
import {
  type Answer,
  type Authorize,
  mayPromptForPassword,
  type RequestInfo,
  type RouteRequest,
  refuseEarly,
  type Subject,
} from '@gatehouse/core/adapter'
import { type FindSession, type SignedIn, sessionSubject, userSubject } from '../access/identify.ts'
import type { AccessRules } from '../access/load-access.ts'
import { readConfigFile } from '../config/config-file.ts'
import type { ReadFiles } from '../config/read-files.ts'
import { type BasicAuth, createBasicAuth, userNameOf } from './basic-auth.ts'
import { createRateLimiter } from './rate-limit.ts'
import { checkClientCertificates, readTlsOptions } from './tls.ts'
import { type TlsServerConfig, webConfigKind } from './web-config.ts'

/** Checks that come before every route: TLS, basic authentication, a rate limit, and headers added to every response. */
export interface WebGuard {
  /** The TLS settings; `undefined` for plain HTTP. */
  readonly tls: ServerOptions | undefined
  /** Whether browsers are asked for a password, by the first rules. */
  readonly asksForPasswords: boolean
  /** Applies the rules to a server. */
  prepare(server: Server): void
  /** The routes behind the guard. */
  protect(routes: readonly Route[]): readonly Route[]
  /** Decides who may do what, by the current rules; `undefined` without such rules. */
  readonly authorize: Authorize | undefined
  /** Turns a signed-in person into the subject that `authorize` knows, by the current rules; `undefined` without rules. */
  readonly subjectOf: ((person: SignedIn) => Subject | undefined) | undefined
  /** Lets people be identified by their sessions. */
  findSessions(find: FindSession): void
  /** Replaces the rules. TLS and `access` stay on or off; a rule that says otherwise is logged. */
  replace(rules: GuardRules, logger: Logger): void
}

/** The rules that a guard enforces. */
export interface GuardRules {
  readonly tls: ServerOptions | undefined
  /** Requirements for client certificates beyond those that Node checks by `tls`. */
  readonly clients: TlsServerConfig | undefined
  readonly signIn: BasicAuth | undefined
  /** The names of the users of `signIn`. */
  readonly users: ReadonlySet<string>
  /** Who may do what. With it, a request needs no password: the services decide what unknown senders may do. */
  readonly access: AccessRules | undefined
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
  users: new Set(),
  access: undefined,
  fits: alwaysFits,
  headers: new Map(),
}

/** Whether the rules check and add nothing. */
function letsThrough({ signIn, access, fits, headers }: GuardRules): boolean {
  return signIn === undefined && access === undefined && fits === alwaysFits && headers.size === 0
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
    users: new Set(users.keys()),
    access: undefined,
    fits: intervalMs > 0 ? createRateLimiter({ intervalMs, burst: Number(burst) }) : alwaysFits,
    headers: file.value.http_server_config.headers,
  }
}

/** Creates a guard with these rules. */
export function createWebGuard(first: GuardRules): WebGuard {
  let rules = first
  let findSession: FindSession | undefined
  const servers: Server[] = []
  const authorize: Authorize = (...question) => rules.access?.authorize(...question) ?? false
  return {
    tls: first.tls,
    asksForPasswords: first.signIn !== undefined,
    authorize: first.access && authorize,
    subjectOf:
      first.access && ((person) => rules.access && sessionSubject(rules.access.section, person)),
    findSessions(find) {
      findSession = find
    },
    prepare(server) {
      if (first.tls === undefined) return
      servers.push(server)
      checkClientCertificates(server, () => rules.clients)
    },
    protect: (routes) => routes.map((route) => guardedRoute(route, () => ({ rules, findSession }))),
    replace(next, logger) {
      const isFitting = (next.tls === undefined) === (rules.tls === undefined)
      if (!isFitting)
        logger.warn({}, 'a change of TLS between on and off takes effect at the next start')
      const { tls, clients } = isFitting ? next : rules
      for (const server of servers) {
        if (tls !== undefined && server instanceof TlsServer) server.setSecureContext(tls)
      }
      const isSwitched = (next.access === undefined) !== (rules.access === undefined)
      if (isSwitched)
        logger.warn({}, 'a change of access between on and off takes effect at the next start')
      rules = { ...next, tls, clients, access: isSwitched ? rules.access : next.access }
    },
  }
}

/** The rules of the moment, and how to find sessions. */
interface Guarding {
  readonly rules: GuardRules
  readonly findSession: FindSession | undefined
}

function guardedRoute(route: Route, current: () => Guarding): Route {
  const { connect } = route
  const guarded: Route = {
    ...route,
    async answer(request, info) {
      const { rules, findSession } = current()
      if (letsThrough(rules)) return route.answer(request, info)
      const admitted = await admit(rules, request, info, findSession)
      if ('status' in admitted) return withHeaders(admitted, rules.headers)
      const answer = challenged(await route.answer(request, admitted), rules, request, admitted)
      return withHeaders(answer, rules.headers)
    },
  }
  if (connect === undefined) return guarded
  return {
    ...guarded,
    async connect(request, info) {
      const { rules, findSession } = current()
      const admitted = await admit(rules, request, info, findSession)
      const outcome = 'status' in admitted ? admitted : await connect(request, admitted)
      return typeof outcome === 'function' ? outcome : withHeaders(outcome, rules.headers)
    },
  }
}

/** Refuses a request, or passes it on with its sender. */
async function admit(
  { fits, signIn, access }: GuardRules,
  request: RouteRequest,
  info: RequestInfo,
  findSession: FindSession | undefined,
): Promise<Answer | RequestInfo> {
  if (!fits(performance.now()))
    return refuseEarly(info, 429, { reason: 'TooManyRequests', message: 'Too Many Requests' })
  const authorization = request.headers.get('authorization')
  const name = userNameOf(authorization)
  if (signIn === undefined || (access !== undefined && name === undefined)) {
    const subject = await access?.identify(request, info, findSession)
    return subject === undefined ? info : { ...info, subject }
  }
  const outcome = await signIn(authorization)
  if (outcome === 'busy')
    return refuseEarly(info, 503, {
      reason: 'ServerBusy',
      message: 'Too many passwords are being checked, try again later.',
    })
  if (outcome === 'refused') {
    const challenge = mayPromptForPassword(request) ? { 'www-authenticate': 'Basic' } : {}
    const refusal = { reason: 'NotAuthenticated', message: 'Unauthorized' }
    return refuseEarly(info, 401, refusal, challenge)
  }
  return access === undefined || name === undefined
    ? info
    : { ...info, subject: userSubject(access.section, name) }
}

/** Tells an unknown sender how to sign in, where a service asks for it and a dialog of the browser does not disturb. */
function challenged(
  answer: Answer,
  { access, signIn }: GuardRules,
  request: RouteRequest,
  { subject }: RequestInfo,
): Answer {
  const asks = answer.status === 401 && answer.headers['www-authenticate'] !== undefined
  if (!asks || access === undefined || signIn === undefined || subject !== undefined) return answer
  if (!mayPromptForPassword(request)) return answer
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': ['Basic', 'Bearer'] } }
}

function withHeaders(answer: Answer, added: ReadonlyMap<string, string>): Answer {
  if (added.size === 0) return answer
  const headers = { ...answer.headers }
  for (const [name, value] of added) if (value !== '') headers[name.toLowerCase()] = value
  return { ...answer, headers }
}
