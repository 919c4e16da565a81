import type { AuthContext } from '@gatehouse/core'
import {
  type AppsEnd,
  type AppsToEnd,
  type AuthEvent,
  type AuthorizedApps,
  commitWithEvents,
  hostEvent,
  type PageLanguage,
  type AuthorizedApp as ShownApp,
} from '@gatehouse/core/auth'
import {
  retryOnConflict,
  type Storage,
  type TypedCollection,
  type TypedRecord,
  type Write,
} from '@gatehouse/core/store'
import type { OidcSettings } from '../config/settings.ts'
import { metricsOf } from '../metrics.ts'
import { type ModelRecord, modelCollections } from '../models/model-record.ts'
import { revokeTokens } from '../models/revoke-grant.ts'
import { appsToNotify } from '../models/session-record.ts'
import { askedInWords, type ScopeNames } from '../pages/asked-for.ts'
import { shortText } from '../pages/shown-text.ts'
import { wordsOf } from '../pages/words/languages.ts'
import { type AuthorizedApp, appCollection, idOfApp, maxApps } from './authorized-app.ts'

/** How many apps make room for a new one at most: accounts of earlier versions may have far too many. */
const maxTakenBack = 10

/** How many records are read at once. */
const maxRead = 500

/** The apps that people have let in, for their accounts and for operators. */
export function createAuthorizedApps(
  auth: Pick<AuthContext, 'metrics'>,
  settings: () => OidcSettings,
): AuthorizedApps {
  const { revoked } = metricsOf(auth)
  return {
    list: (storage, userId, language) => listApps(storage, settings(), userId, language),
    end: async (storage, userId, which = {}) => {
      const { clear, ...end } = await endApps(storage, settings(), userId, which)
      return {
        ...end,
        clear() {
          revoked.add(end.apps.length)
          return clear()
        },
      }
    },
  }
}

/** The name of an app: as it is configured, else as the person has seen it, else its id. */
const nameOfApp = (
  { clients }: Pick<OidcSettings, 'clients'>,
  { client_id: id, name = '' }: Pick<AuthorizedApp, 'client_id' | 'name'>,
): string => clients.get(id)?.name ?? (shortText(name) || shortText(id))

const isPageLanguage = (language: string): language is PageLanguage =>
  Object.hasOwn(wordsOf, language)

async function listApps(
  storage: Storage,
  settings: OidcSettings & ScopeNames,
  userId: string,
  language: string,
): Promise<readonly ShownApp[]> {
  const found = await allOf(storage, appCollection, userId)
  return found
    .map(({ value }): ShownApp => {
      const { client_id, scopes, authorized_at, last_used_at } = value
      const resources = Object.entries(value.resources).map(([identifier, own]) => ({
        identifier,
        scopes: own,
      }))
      const known = isPageLanguage(language) ? language : 'en'
      const access = askedInWords({ scopes, resources }, settings, known)
      return {
        client_id,
        name: nameOfApp(settings, value),
        scopes,
        resources,
        access: access.map(({ api, items }) => (api === undefined ? { items } : { api, items })),
        authorized_at,
        last_used_at,
      }
    })
    .sort((one, other) => other.last_used_at - one.last_used_at)
}

async function endApps(
  storage: Storage,
  settings: OidcSettings,
  userId: string,
  which: AppsToEnd,
): Promise<AppsEnd> {
  const { client_id: clientId, since = Number.NEGATIVE_INFINITY } = which
  // Before the grants: each new grant also writes its app.
  const all =
    clientId === undefined
      ? await allOf(storage, appCollection, userId)
      : [await appCollection.get(storage, idOfApp(userId, clientId))].flatMap((one) => one ?? [])
  const apps = all.filter(({ value }) => value.last_used_at >= since)
  const isAll = clientId === undefined && which.since === undefined
  const ended = new Set<unknown>(apps.map(({ value }) => value.client_id))
  const grants = (await allOf(storage, modelCollections.Grant, userId)).filter(
    ({ value }) => isAll || ended.has(value.client_id),
  )
  const sessions = isAll ? await allOf(storage, modelCollections.Session, userId) : []
  return {
    apps: apps.map(({ value }) => ({
      client_id: value.client_id,
      name: nameOfApp(settings, value),
    })),
    writes: [
      ...apps.map(({ id, version }) => appCollection.remove(id, version)),
      // Without its grant no token counts, even one that another request is about to store.
      ...grants.map(({ id }): Write => modelCollections.Grant.remove(id)),
      // The others are removed once their apps are notified that the sessions have ended.
      ...sessions
        .filter(({ value }) => appsToNotify(settings, value).length === 0)
        .map(({ id }): Write => modelCollections.Session.remove(id)),
    ],
    async clear() {
      for (const { value } of grants) await revokeTokens({ storage }, String(value.payload.jti))
    },
  }
}

/** All records of a user. */
async function allOf<T extends AuthorizedApp | ModelRecord>(
  storage: Storage,
  collection: TypedCollection<T>,
  userId: string,
): Promise<readonly TypedRecord<T>[]> {
  const all: TypedRecord<T>[] = []
  for (;;) {
    const last = all.at(-1)
    const after = last === undefined ? {} : { after: { key: userId, id: last.id } }
    const query = { by: 'user_id', equals: userId, limit: maxRead, ...after } as const
    const found = await collection.find(storage, query)
    all.push(...found)
    if (found.length < maxRead) return all
  }
}

/**
 * Makes room for one more app of a person, so that what an account holds and shows has an end: takes those back that were least
 * recently used. Returns what the commit needs that lets the app in, and what clears up after it.
 */
export async function makeRoom(
  auth: AuthContext,
  userId: string,
): Promise<Pick<AppsEnd, 'writes' | 'clear'> & { readonly events: readonly AuthEvent[] }> {
  const { storage, bridge } = auth
  const apps = await allOf(storage, appCollection, userId)
  const ends: AppsEnd[] = []
  const byUse = apps.toSorted((one, other) => other.value.last_used_at - one.value.last_used_at)
  for (const { value } of byUse.slice(maxApps - 1).slice(-maxTakenBack)) {
    const end = await bridge.current?.apps?.end(storage, userId, { client_id: value.client_id })
    if (end !== undefined) ends.push(end)
  }
  return {
    writes: ends.flatMap((end) => end.writes),
    events: ends.flatMap((end) => end.apps.map((app) => revokedBy('limit', auth, userId, app))),
    async clear() {
      for (const end of ends) await end.clear()
    },
  }
}

/** The event that an app was taken back without the person or an operator. */
function revokedBy(
  by: 'client' | 'limit',
  auth: AuthContext,
  userId: string,
  app: AppsEnd['apps'][number],
): AuthEvent {
  const payload = { user: { id: userId }, app: { ...app }, by }
  return hostEvent(auth, 'oidc.app.revoked', payload, userId, 'system')
}

/**
 * Takes an app back that has revoked its own tokens, unless it has others: the person let it in for what it does not want any more.
 * Returns whether it did.
 */
export async function leaveApp(
  auth: AuthContext,
  { userId, clientId }: { readonly userId: string; readonly clientId: string },
): Promise<boolean> {
  const { storage, bridge } = auth
  const end = await retryOnConflict(async () => {
    // First the app, which each new grant writes.
    const end = await bridge.current?.apps?.end(storage, userId, { client_id: clientId })
    const grants = await allOf(storage, modelCollections.Grant, userId)
    if (grants.some(({ value }) => value.client_id === clientId)) return undefined
    const [app] = end?.apps ?? []
    if (end === undefined || app === undefined) return undefined
    await commitWithEvents(auth, end.writes, [revokedBy('client', auth, userId, app)])
    return end
  })
  await end?.clear()
  return end !== undefined
}
