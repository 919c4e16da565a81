import type { AuthContext } from '@gatehouse/core'
import { type AuthEvent, commitWithEvents, hostEvent, sessionGuard } from '@gatehouse/core/auth'
import { retryOnConflict, type TypedRecord, type Version, type Write } from '@gatehouse/core/store'
import type { AdapterPayload, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { OidcSettings } from '../config/settings.ts'
import { metricsOf } from '../metrics.ts'
import { modelCollections, recordId } from '../models/model-record.ts'
import { modelWrite } from '../models/stored-model.ts'
import type { MirroredSession } from '../sessions/session-mirror.ts'
import { makeRoom } from './apps.ts'
import { type AuthorizedApp, appCollection, idOfApp } from './authorized-app.ts'

type Grant = InstanceType<Provider['Grant']>

/** The rights of an app: scopes of people's claims, and scopes of APIs. */
export interface Permission {
  readonly scopes: readonly string[]
  readonly resources: Readonly<Record<string, readonly string[]>>
}

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

/** Adds a permission to a grant. Returns whether it had less. */
function extend(grant: Grant, { scopes, resources }: Permission): boolean {
  const before = JSON.stringify([grant.openid, grant.resources])
  if (scopes.length > 0) grant.addOIDCScope(scopes.join(' '))
  for (const [identifier, asked] of Object.entries(resources)) {
    if (asked.length > 0) grant.addResourceScope(identifier, asked.join(' '))
  }
  return JSON.stringify([grant.openid, grant.resources]) !== before
}

/** The app as a person has let it in; `undefined` if the person has not, or has taken it back. */
export function findApp(
  { storage }: Pick<AuthContext, 'storage'>,
  userId: string,
  clientId: string,
): Promise<TypedRecord<AuthorizedApp> | undefined> {
  return appCollection.get(storage, idOfApp(userId, clientId))
}

/** An app that a person lets in by the session of a browser. */
export interface LetIn {
  readonly sessionId: string
  readonly userId: string
  readonly clientId: string
  readonly name: string | undefined
  /** The grant that the session has for the app. */
  readonly grantId: string | undefined
  /** Whether the app was in when this was decided. If it is not by now, the person or an operator has taken it back. */
  readonly wasIn: boolean
}

/** What an app gets. */
export interface Given {
  /** What its grant has, at least. Tokens that are given for the grant end with it. */
  readonly granted: Permission
  /** What the person has consented to, and is not asked about again. */
  readonly consented: Permission
}

/**
 * Lets an app in: notes it, and gives the session a grant for it, in one commit. `undefined` if the app was taken back meanwhile, or
 * the session has ended: the person must be asked again.
 */
export function letIn(
  auth: AuthContext,
  provider: Provider,
  app: LetIn,
  { granted, consented }: Given,
): Promise<Grant | undefined> {
  let { wasIn } = app
  return retryOnConflict(async () => {
    const stored = await findApp(auth, app.userId, app.clientId)
    if (wasIn && stored === undefined) return undefined
    wasIn = stored !== undefined
    const guard = await sessionGuard(auth, app.sessionId)
    if (guard === undefined) return undefined
    const { grant, write } = await grantFor(auth, provider, app, granted)
    const noted = noteOf(auth, app, stored, consented)
    const room = stored === undefined ? await makeRoom(auth, app.userId) : undefined
    const writes = [noted.write, write, ...guard, ...(room?.writes ?? [])]
    await commitWithEvents(auth, writes, [...(room?.events ?? []), ...noted.events])
    metricsOf(auth).authorized.add(noted.events.length)
    await room?.clear()
    return grant
  })
}

/** The note that an app is in, and the event if it may do more than before. */
function noteOf(
  auth: AuthContext,
  { userId, clientId, name }: LetIn,
  stored: TypedRecord<AuthorizedApp> | undefined,
  consented: Permission,
): { readonly write: Write; readonly events: readonly AuthEvent[] } {
  const now = auth.clock.now()
  const known = stored?.value ?? { scopes: [], resources: {} }
  const app: AuthorizedApp = {
    user_id: userId,
    client_id: clientId,
    ...(name === undefined ? {} : { name }),
    ...joined(known, consented),
    authorized_at: stored?.value.authorized_at ?? now,
    last_used_at: now,
  }
  const { scopes, resources } = app
  const isNew =
    stored === undefined ||
    JSON.stringify([scopes, resources]) !== JSON.stringify([known.scopes, known.resources])
  const about = { client_id: clientId, ...(name === undefined ? {} : { name }) }
  const payload = { user: { id: userId }, app: { ...about, scopes, resources } }
  return {
    write: appCollection.write(idOfApp(userId, clientId), app, { if: stored?.version ?? 'absent' }),
    events: isNew ? [hostEvent(auth, 'oidc.app.authorized', payload, userId, 'user')] : [],
  }
}

/** The grant of the session, or a new one, with the write that stores it. */
async function grantFor(
  auth: AuthContext,
  provider: Provider,
  app: LetIn,
  granted: Permission,
): Promise<{ readonly grant: Grant; readonly write: Write }> {
  const { userId: accountId, clientId, grantId = '' } = app
  const id = recordId('Grant', grantId)
  const stored = await modelCollections.Grant.get(auth.storage, id)
  const known = await ownGrant(provider, app)
  const isKnown = stored !== undefined && known !== undefined
  const grant = isKnown ? known : new provider.Grant({ accountId, clientId })
  const isMore = extend(grant, granted)
  const write =
    isKnown && !isMore
      ? { collection: modelCollections.Grant, id, check: stored.version }
      : await writeOf(auth, grant, isKnown ? stored.version : 'absent')
  return { grant, write }
}

/** A grant, if it is one of this person for this app. */
async function ownGrant(
  provider: Provider,
  { userId, clientId, grantId }: Pick<LetIn, 'userId' | 'clientId' | 'grantId'>,
): Promise<Grant | undefined> {
  const found = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  return found?.accountId === userId && found.clientId === clientId ? found : undefined
}

/** The write that stores a grant. */
async function writeOf(
  auth: AuthContext,
  grant: Grant,
  condition: 'absent' | Version,
): Promise<Write> {
  let write: Write | undefined
  const upsert = async (value: string, payload: AdapterPayload, expiresIn: number) => {
    write = modelWrite(auth, 'Grant', { value, payload, expiresIn, if: condition })
  }
  // The library gives what it stores to the adapter. This one keeps it for a commit with others.
  Object.defineProperty(grant, 'adapter', { configurable: true, value: { upsert } })
  await grant.save()
  if (write === undefined) throw new TypeError('the library has not stored a grant that was saved')
  return write
}

/**
 * The grant that a request goes on with: that of the session, or a new one for what the person has consented to before, or for
 * everything where nobody is asked. `undefined`: the person must be asked.
 */
export async function existingGrant(
  auth: AuthContext,
  settings: OidcSettings,
  ctx: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { provider, account, client, session, result } = ctx.oidc
  const { gatehouseSession: sessionId } = (session ?? {}) as Partial<MirroredSession>
  if (account === undefined || client === undefined || sessionId === undefined) return undefined
  const { accountId: userId } = account
  const { clientId, clientName: name } = client
  const grantId = result?.consent?.grantId ?? session?.grantIdFor(clientId)
  const app = await findApp(auth, userId, clientId)
  const found = await ownGrant(provider, { userId, clientId, grantId })
  const isNeverAsked = settings.clients.get(clientId)?.consent === 'never'
  const granted = isNeverAsked ? requestedIn(ctx) : app?.value
  const isEnough = found !== undefined && !(isNeverAsked && extend(found, requestedIn(ctx)))
  if (isEnough || granted === undefined) return found
  const entry = { sessionId, userId, clientId, name, grantId, wasIn: app !== undefined }
  return letIn(auth, provider, entry, { granted, consented: nothing })
}

const nothing: Permission = { scopes: [], resources: {} }
