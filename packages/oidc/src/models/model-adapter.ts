import type { AuthContext } from '@gatehouse/core'
import { commitWithEvents, hostEvent } from '@gatehouse/core/auth'
import {
  isConflict,
  type TypedCollection,
  type TypedRecord,
  type Version,
} from '@gatehouse/core/store'
import { type Adapter, errors, Provider } from 'oidc-provider'
import { exchangeOf } from '../exchange/dispatch.ts'
import { metricsOf } from '../metrics.ts'
import {
  isModelName,
  type ModelName,
  type ModelRecord,
  modelCollections,
  recordId,
} from './model-record.ts'
import { revokeGrant, revokeTokensOf } from './revoke-grant.ts'
import { isSameSession, isStillBound } from './session-record.ts'
import { modelWrite, payloadOf } from './stored-model.ts'

/**
 * Models of values that count only the first time. The library keeps them for as long as it accepts old ones, though it also accepts
 * those that a client has dated ahead by as much: they are kept twice as long.
 */
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

/** Whether the Gatehouse session still counts that a record is bound to. That of the browser has been read before. */
async function isBound(auth: AuthContext, record: ModelRecord): Promise<boolean> {
  const { ctx } = Provider
  const isOfBrowser =
    record.session_id !== undefined &&
    ctx !== undefined &&
    isSameSession(record, await exchangeOf(ctx.req).session())
  return isOfBrowser || isStillBound(auth, record)
}

function adapterOf(auth: AuthContext, model: ModelName): Adapter {
  const collection: TypedCollection<ModelRecord> = modelCollections[model]
  const { storage } = auth
  const read = async (record: TypedRecord<ModelRecord> | undefined, value?: string) => {
    if (record === undefined || !(await isBound(auth, record.value))) return undefined
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
      const known = changesOnce.has(model) ? versions.get(id) : undefined
      const stored = writtenOnce.has(model)
        ? { expiresIn: expiresIn && expiresIn * 2, if: 'absent' as const }
        : { expiresIn, if: known }
      const write = modelWrite(auth, model, { value, payload, ...stored })
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
