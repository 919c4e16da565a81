import { createHash } from 'node:crypto'
import type { AuthContext } from '@gatehouse/core'
import { commitWithEvents, hostEvent } from '@gatehouse/core/auth'
import { retryOnConflict, type TypedRecord } from '@gatehouse/core/store'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type AuthorizedApp, appCollection } from './collections.ts'
import { metricsOf } from './metrics.ts'
import type { OidcSettings } from './settings.ts'

type Grant = InstanceType<Provider['Grant']>

/** The rights of an app: scopes of people's claims, and scopes of APIs. */
export interface Permission {
  readonly scopes: readonly string[]
  readonly resources: Readonly<Record<string, readonly string[]>>
}

/** The id of the record of an app that a person has let in. */
export const idOfApp = (userId: string, clientId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([userId, clientId]))
    .digest('base64url')

/** The scopes, claims and APIs that the current request asks for. */
function requestedIn({ oidc }: KoaContextWithOIDC): Permission {
  const asked = oidc.requestParamScopes
  const servers = Object.entries(oidc.resourceServers ?? {})
  return {
    scopes: [...oidc.requestParamOIDCScopes],
    resources: Object.fromEntries(
      servers.map(([identifier, { scopes }]) => [
        identifier,
        [...asked].filter((scope) => scopes.has(scope)),
      ]),
    ),
  }
}

/** Everything of both. */
function joined(one: Permission, other: Permission): Permission {
  const union = (a: readonly string[] = [], b: readonly string[] = []): readonly string[] => [
    ...new Set([...a, ...b]),
  ]
  const identifiers = union(Object.keys(one.resources), Object.keys(other.resources))
  return {
    scopes: union(one.scopes, other.scopes),
    resources: Object.fromEntries(
      identifiers.map((id) => [id, union(one.resources[id], other.resources[id])]),
    ),
  }
}

/** The grant of a session for an app, with at least this permission. Tokens that are given for it end with it. */
export async function grantFor(
  provider: Provider,
  existing: Grant | undefined,
  of: { readonly accountId: string; readonly clientId: string },
  { scopes, resources }: Permission,
): Promise<Grant> {
  const grant = existing ?? new provider.Grant(of)
  const before = JSON.stringify([grant.openid, grant.resources])
  if (scopes.length > 0) grant.addOIDCScope(scopes.join(' '))
  for (const [identifier, asked] of Object.entries(resources)) {
    if (asked.length > 0) grant.addResourceScope(identifier, asked.join(' '))
  }
  const isChanged = JSON.stringify([grant.openid, grant.resources]) !== before
  if (existing === undefined || isChanged) await grant.save()
  return grant
}

/** The app as a person has let it in; `undefined` if the person has not, or has taken it back. */
function findApp(
  { storage }: Pick<AuthContext, 'storage'>,
  userId: string,
  clientId: string,
): Promise<TypedRecord<AuthorizedApp> | undefined> {
  return appCollection.get(storage, idOfApp(userId, clientId))
}

/** An app that a person lets in. */
interface NotedApp {
  readonly userId: string
  readonly clientId: string
  readonly name: string | undefined
}

/** Records that a person has let an app in, with the rights that it gets without another question. */
export function noteApp(
  auth: AuthContext,
  { userId, clientId, name }: NotedApp,
  consented: Permission,
): Promise<void> {
  return retryOnConflict(async () => {
    const now = auth.clock.now()
    const stored = await findApp(auth, userId, clientId)
    const known = stored?.value ?? { scopes: [], resources: {} }
    const app: AuthorizedApp = {
      user_id: userId,
      client_id: clientId,
      ...(name === undefined ? {} : { name }),
      ...joined(known, consented),
      authorized_at: stored?.value.authorized_at ?? now,
      last_used_at: now,
    }
    const write = { if: stored?.version ?? ('absent' as const) }
    const isMore = [app.scopes, app.resources].some(
      (now, at) => JSON.stringify(now) !== JSON.stringify([known.scopes, known.resources][at]),
    )
    const isNew = stored === undefined || isMore
    const { scopes, resources } = app
    const about = { client_id: clientId, ...(name === undefined ? {} : { name }) }
    const payload = { user: { id: userId }, app: { ...about, scopes, resources } }
    const event = hostEvent(auth, 'oidc.app.authorized', payload, userId, 'user')
    await commitWithEvents(
      auth,
      [appCollection.write(idOfApp(userId, clientId), app, write)],
      isNew ? [event] : [],
    )
    if (isNew) metricsOf(auth).authorized.add(1)
  })
}

/**
 * The grant that a request goes on with: that of the session, or a new one for what the person has consented to before, or for
 * everything where nobody is asked. `undefined`: there is none yet.
 */
export async function existingGrant(
  auth: AuthContext,
  settings: OidcSettings,
  ctx: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { provider, account, client, session, result } = ctx.oidc
  if (account === undefined || client === undefined || session === undefined) return undefined
  const { accountId } = account
  const { clientId, clientName: name } = client
  const grantId = result?.consent?.grantId ?? session.grantIdFor(clientId)
  const own = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const found = own?.accountId === accountId && own.clientId === clientId ? own : undefined
  const isNeverAsked = settings.clients.get(clientId)?.consent === 'never'
  const of = { accountId, clientId }
  if (isNeverAsked) {
    const grant = await grantFor(provider, found, of, requestedIn(ctx))
    if (found === undefined) await noteApp(auth, { userId: accountId, clientId, name }, nothing)
    return grant
  }
  if (found !== undefined) return found
  const app = await findApp(auth, accountId, clientId)
  if (app === undefined) return undefined
  await noteApp(auth, { userId: accountId, clientId, name }, nothing)
  return grantFor(provider, undefined, of, app.value)
}

const nothing: Permission = { scopes: [], resources: {} }
