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
}

/** Finds the session of a request. A bearer token counts before a cookie. Returns `undefined` without a valid session. */
export type FindSession = (
  request: RouteRequest,
  info: RequestInfo,
) => Promise<SignedIn | undefined>

/** Finds the sender of a request by other means than a password. */
export type Identify = (
  request: RouteRequest,
  info: RequestInfo,
  findSession: FindSession | undefined,
) => Promise<Subject | undefined>

/** Identifies senders by bearer token, which may be that of a session, by client certificate and by session, in this order. */
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
    const person = await findSession(request, info)
    return person && sessionSubject(section, person)
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

function sessionSubject(
  { sessions, session_attribute: attribute }: AccessSection,
  { userId, addresses, attributes }: SignedIn,
): Subject {
  const own = [userId, ...addresses].flatMap((key) => sessions.get(key) ?? [])
  const named = attribute === undefined ? undefined : attributes[attribute]
  const roles = typeof named === 'string' ? [...own, named] : own
  return { kind: 'session', id: addresses[0] ?? userId, roles }
}

/** The user of a password that was verified. */
export const userSubject = ({ users }: AccessSection, id: string): Subject => ({
  kind: 'user',
  id,
  roles: users.get(id) ?? [],
})
