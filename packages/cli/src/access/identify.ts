import { createHash, timingSafeEqual } from 'node:crypto'
import type { ClientCertificate, RequestInfo, RouteRequest, Subject } from '@gatehouse/core/adapter'
import type { AccessSection } from './access-section.ts'

/** A person who signed in to this server. */
export interface SignedIn {
  readonly userId: string
  /** Verified email addresses and phone numbers. */
  readonly addresses: readonly string[]
  /** The custom attributes that only the program changes. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** The operator who acts as the person (default: it is the person). */
  readonly operator?: string | undefined
}

/** The sender of a request with an API key. */
export interface KeyHolder {
  /** The name of the service, or the user whose key it is. */
  readonly owner: string | SignedIn
  readonly scopes: readonly string[]
}

/**
 * Finds the session of a request, or its API key. A bearer token counts before a cookie. Returns `undefined` without a valid
 * session.
 */
export type FindSession = (
  request: RouteRequest,
  info: RequestInfo,
) => Promise<SignedIn | KeyHolder | undefined>

/** Finds the sender of a request by other means than a password. */
export type Identify = (
  request: RouteRequest,
  info: RequestInfo,
  findSession: FindSession | undefined,
) => Promise<Subject | undefined>

/** Identifies senders by bearer token, which may be that of a session or an API key, by client certificate and by session, in this order. */
export function createIdentify(section: AccessSection): Identify {
  const tokens = [...section.tokens].map(([id, { token, roles }]) => ({
    digest: digestOf(token),
    subject: { kind: 'token', id, roles } as const,
  }))
  const byToken = (token: string): Subject | undefined => {
    const digest = createHash('sha256').update(token).digest()
    // Compares with all of them, so the time does not tell which one is nearly right.
    const found = tokens.filter((one) => timingSafeEqual(one.digest, digest))
    return found[0]?.subject
  }
  return async (request, info, findSession) => {
    const token = bearerOf(request)
    const known =
      token === undefined ? certificateSubject(section, info.clientCertificate) : byToken(token)
    if (known !== undefined || findSession === undefined) return known
    const found = await findSession(request, info)
    if (found === undefined) return undefined
    return 'scopes' in found ? keySubject(section, found) : sessionSubject(section, found)
  }
}

/** The bearer token of a request; `undefined` if it has none. */
export const bearerOf = ({ headers }: RouteRequest): string | undefined =>
  /^bearer[ \t]+(.+)$/i.exec(headers.get('authorization') ?? '')?.[1]?.trim()

function digestOf(token: string): Uint8Array {
  const hex = /^sha256:([\da-f]{64})$/i.exec(token)?.[1]
  return hex === undefined ? createHash('sha256').update(token).digest() : Buffer.from(hex, 'hex')
}

function certificateSubject(
  { certificates }: AccessSection,
  certificate: ClientCertificate | undefined,
): Subject | undefined {
  if (certificate === undefined) return undefined
  const { commonName, names } = certificate
  const all = commonName === undefined ? names : [commonName, ...names]
  const id = all.find((name) => certificates.has(name)) ?? all[0]
  return id === undefined
    ? undefined
    : { kind: 'certificate', id, roles: certificates.get(id) ?? [] }
}

/** The kind of a subject that is an operator who acts as a person. What the operator does bears both names. */
export const actingKind = 'impersonation'

/** The subject of a signed-in person. */
export function sessionSubject(
  { sessions, session_attribute: attribute }: AccessSection,
  { userId, addresses, attributes, operator }: SignedIn,
): Subject {
  const own = [userId, ...addresses].flatMap((key) => sessions.get(key) ?? [])
  const named = attribute === undefined ? undefined : attributes[attribute]
  const roles = typeof named === 'string' ? [...own, named] : own
  const id = addresses[0] ?? userId
  return operator === undefined
    ? { kind: 'session', id, roles }
    : { kind: actingKind, id: `${operator} as ${id}`, roles }
}

/** A key does for a user no more than the user may do. */
function keySubject(section: AccessSection, { owner, scopes }: KeyHolder): Subject {
  const roles = [...new Set(scopes.flatMap((scope) => section.api_keys.get(scope) ?? []))]
  if (typeof owner === 'string') return { kind: 'api_key', id: owner, roles }
  const { id, roles: own = [] } = sessionSubject(section, owner)
  return { kind: 'api_key', id, roles: roles.filter((role) => own.includes(role)) }
}

/** The user of a password that was verified. */
export const userSubject = ({ users }: AccessSection, id: string): Subject => ({
  kind: 'user',
  id,
  roles: users.get(id) ?? [],
})
