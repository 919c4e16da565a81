import type { AuthContext } from '@gatehouse/core'
import { commitWithEvents, getSession, hostEvent } from '@gatehouse/core/auth'
import {
  isConflict,
  type Json,
  type TypedCollection,
  type TypedRecord,
  type Version,
} from '@gatehouse/core/store'
import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { isModelName, type ModelName, type ModelRecord, modelCollections } from './collections.ts'
import { metricsOf } from './metrics.ts'
import { secretDigest } from './provider-clients.ts'
import { type AdapterPorts, recordId, revokeGrant, revokeTokensOf } from './revoke-grant.ts'

/** Models whose id is not the value of a token, and has to be known to find them by something else. */
const plainIds: ReadonlySet<ModelName> = new Set([
  'Grant',
  'Interaction',
  'Client',
  'ReplayDetection',
])

/** Models of values that count only the first time. */
const writtenOnce: ReadonlySet<ModelName> = new Set(['ReplayDetection'])

/** The memory of the adapter during one request. */
interface RequestNotes {
  /** The versions of records as this request has read them. They are the preconditions of its changes. */
  readonly versions: Map<string, Version>
  /** Whose token this request has shown that was used before. */
  reusedOf?: string | undefined
}

const notesOf = new WeakMap<object, RequestNotes>()

/** The memory of the current request; an empty one outside of requests. */
function notesOfRequest(context: object | undefined = Provider.ctx): RequestNotes {
  const known = (context && notesOf.get(context)) ?? { versions: new Map() }
  if (context !== undefined) notesOf.set(context, known)
  return known
}

const versionsOfRequest = (): Map<string, Version> => notesOfRequest().versions

/** The user whose token a request has shown that was used before; `undefined` if it has not. */
export const reusedIn = (context: object): string | undefined => notesOfRequest(context).reusedOf

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Leaves out members that are `undefined`. */
const defined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T

/** Stores the models of `oidc-provider` in a `Storage`. @see the documentation of its adapters */
export function createModelAdapter(auth: AuthContext): (name: string) => Adapter {
  return (name) => {
    // A model that no feature of ours uses is not stored, and so never found.
    return isModelName(name) ? adapterOf(auth, name) : unusedAdapter
  }
}

const unusedAdapter: Adapter = {
  upsert: () => Promise.reject(new TypeError('this kind of token is not in use')),
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

function adapterOf(auth: AuthContext, model: ModelName): Adapter {
  const collection: TypedCollection<ModelRecord> = modelCollections[model]
  const { storage, clock } = auth
  const read = async (record: TypedRecord<ModelRecord> | undefined, value?: string) => {
    if (record === undefined || !(await isStillBound(auth, model, record.value))) return undefined
    const notes = notesOfRequest()
    notes.versions.set(record.id, record.version)
    if (record.value.payload.consumed !== undefined) notes.reusedOf = record.value.user_id
    return payloadOf(auth, model, record, value)
  }
  const findBy = async (field: 'uid' | 'user_code', equals: string) => {
    if (!(field in collection.fields)) return undefined
    const [record] = await collection.find(storage, { by: field, equals, limit: 1 })
    return read(record)
  }
  return {
    async upsert(value, payload, expiresIn) {
      const id = recordId(model, value)
      const versions = versionsOfRequest()
      const known = versions.get(id)
      const expiry = expiresIn === undefined ? {} : { expiresAt: clock.now() + expiresIn * 1_000 }
      const write = collection.write(id, recordOf(auth, model, value, payload), {
        ...expiry,
        ...(writtenOnce.has(model) ? { if: 'absent' } : {}),
        ...(changesOnce.has(model) && known !== undefined ? { if: known } : {}),
      })
      const [version] = await storage.commit([write]).catch(lostRace)
      if (version !== undefined) versions.set(id, version)
    },
    find: async (value) => read(await collection.get(storage, recordId(model, value)), value),
    findByUid: (uid) => findBy('uid', uid),
    findByUserCode: (code) => findBy('user_code', code),
    consume: (value) => consume(auth, collection, recordId(model, value)),
    async destroy(value) {
      await storage.commit([collection.remove(recordId(model, value))])
    },
    revokeByGrantId: (grantId) => revokeTokensOf(auth, collection, grantId),
  }
}

/** Models that two requests must not change at once: of a code of a device, one person decides. */
const changesOnce: ReadonlySet<ModelName> = new Set(['DeviceCode'])

/** Another request was faster: this one comes too late. */
function lostRace(error: unknown): never {
  throw isConflict(error) ? new errors.InvalidGrant('it was used by another request') : error
}

/**
 * Marks a token as used. Of several requests with one token, one succeeds; the others have a copy of it, so that all tokens of its
 * grant end.
 *
 * @see RFC 9700, section 4.14.2
 */
async function consume(
  auth: AuthContext,
  collection: TypedCollection<ModelRecord>,
  id: string,
): Promise<void> {
  const { storage, clock } = auth
  const stored = await collection.get(storage, id)
  const seen = versionsOfRequest().get(id)
  if (stored === undefined) throw new errors.InvalidGrant('it has ended')
  const { expiresAt, value, version } = stored
  const payload = { ...value.payload, consumed: Math.floor(clock.now() / 1_000) }
  try {
    await storage.commit([
      collection.write(
        id,
        { ...value, payload },
        { if: seen ?? version, ...(expiresAt === undefined ? {} : { expiresAt }) },
      ),
    ])
  } catch (error) {
    if (!isConflict(error)) throw error
    const { grant_id: grantId, user_id: userId, client_id: clientId } = value
    if (grantId !== undefined) {
      await revokeGrant(auth, grantId)
      await reportReuse(auth, { userId, clientId })
    }
    throw new errors.InvalidGrant('it was used by another request')
  }
}

/** Records that a token came a second time, because there is a copy of it. */
export async function reportReuse(
  auth: AuthContext,
  {
    userId,
    clientId,
  }: { readonly userId: string | undefined; readonly clientId: string | undefined },
): Promise<void> {
  const user = userId === undefined ? {} : { user: { id: userId } }
  const payload = { ...user, app: { client_id: clientId ?? null } }
  const event = hostEvent(auth, 'oidc.token.reused', payload, userId ?? null, 'system')
  await commitWithEvents(auth, [], [event])
  metricsOf(auth).reused.add(1)
}

/** Whether the Gatehouse session still lives to which a session is bound. Others are bound to nothing. */
async function isStillBound(
  auth: AuthContext,
  model: ModelName,
  { session_id: sessionId, user_id: userId }: ModelRecord,
): Promise<boolean> {
  if (model !== 'Session' || sessionId === undefined) return true
  const session = await getSession(auth, sessionId)
  return session !== undefined && session.user_id === userId
}

function recordOf(
  { secrets }: AdapterPorts,
  model: ModelName,
  value: string,
  payload: AdapterPayload,
): ModelRecord {
  const { jti, deviceCode, ...rest } = payload
  const { client_secret: secret } = rest
  const shown = {
    ...rest,
    ...(model === 'Client' && typeof secret === 'string'
      ? { client_secret: secretDigest(secret) }
      : {}),
    ...(plainIds.has(model) ? { jti } : {}),
    ...(asText(deviceCode) === undefined
      ? {}
      : { sealedDeviceCode: secrets.seal(String(deviceCode), 'device code') }),
  }
  return defined<ModelRecord>({
    // The library passes what JSON can represent, and `undefined`.
    payload: defined(shown) as { readonly [name: string]: Json },
    uid: asText(payload.uid),
    grant_id: model === 'Interaction' ? undefined : asText(payload.grantId),
    user_code: asText(payload.userCode),
    user_id: asText(payload.accountId),
    client_id: asText(payload.clientId),
    session_id: asText(payload.gatehouseSession),
    sealed_value: model === 'DeviceCode' ? secrets.seal(value, 'device code') : undefined,
  } as ModelRecord)
}

function payloadOf(
  { secrets }: AdapterPorts,
  model: ModelName,
  { value: { payload, sealed_value: sealed } }: TypedRecord<ModelRecord>,
  value: string | undefined,
): AdapterPayload {
  const { sealedDeviceCode, ...rest } = payload
  const opened = (text: unknown): string | undefined =>
    typeof text === 'string' ? asText(secrets.open(text, 'device code')) : undefined
  const jti = plainIds.has(model) ? undefined : (value ?? opened(sealed))
  const deviceCode = opened(sealedDeviceCode)
  return {
    ...rest,
    ...(jti === undefined ? {} : { jti }),
    ...(deviceCode === undefined ? {} : { deviceCode }),
  } as AdapterPayload
}
