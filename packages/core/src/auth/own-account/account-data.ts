import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { ApiKey } from '../flow/session/api-key.ts'
import type { AuthorizedApp } from '../flow/session/authorization-bridge.ts'
import type { ListedAuthenticator } from '../people/list-authenticators.ts'
import type { ListedIdentity } from '../people/list-identities.ts'
import type { PlacedSession } from '../sessions/list-sessions.ts'
import type { Activity } from './activity.ts'
import type { AccountExport } from './export-account.ts'
import type { OwnAccount } from './get-account.ts'

type Data = { readonly [name: string]: Json }

const textOf = (at: Instant): string => new Date(at).toISOString()

/** The wire form of an account: instants in RFC 3339, empty members omitted. */
export const accountData = ({ changes, ...account }: OwnAccount): Data => ({
  ...membersData(account),
  changes: { ...changes },
})

/** The wire form of an export. */
export const exportData = ({ exported_at, activity, apps, ...account }: AccountExport): Data => ({
  exported_at: textOf(exported_at),
  ...membersData(account),
  apps: apps.map(appData),
  activity: activity.map(activityData),
})

/** The wire form of an activity. */
export const activityData = ({ at, ...activity }: Activity): Data => ({
  ...activity,
  at: textOf(at),
})

function membersData(account: Omit<OwnAccount, 'changes'>): Data {
  const { user, identities, authenticators, sessions, ...counts } = account
  return {
    user: {
      ...user,
      created_at: textOf(user.created_at),
      updated_at: textOf(user.updated_at),
      last_login_at: user.last_login_at === null ? null : textOf(user.last_login_at),
    },
    identities: identities.map(identityData),
    authenticators: authenticators.map(authenticatorData),
    ...counts,
    sessions: sessions.map((one) => ({ ...sessionData(one), is_current: one.is_current })),
  }
}

/** The wire form of an identity. */
export const identityData = ({ created_at, updated_at, ...identity }: ListedIdentity): Data => ({
  ...identity,
  created_at: textOf(created_at),
  updated_at: textOf(updated_at),
})

/** The wire form of an authenticator. */
export const authenticatorData = ({
  created_at,
  updated_at,
  expire_after,
  ...authenticator
}: ListedAuthenticator): Data => ({
  ...authenticator,
  created_at: textOf(created_at),
  updated_at: textOf(updated_at),
  ...(expire_after === undefined ? {} : { expire_after: textOf(expire_after) }),
})

/** The wire form of an API key. */
export const apiKeyData = ({ created_at, expires_at, last_used_at, ...key }: ApiKey): Data => ({
  ...key,
  created_at: textOf(created_at),
  expires_at: expires_at === null ? null : textOf(expires_at),
  last_used_at: last_used_at === null ? null : textOf(last_used_at),
})

/** The wire form of an app that a user has let in. */
export const appData = ({
  resources,
  access,
  authorized_at,
  last_used_at,
  ...app
}: AuthorizedApp): Data => ({
  ...app,
  resources: resources.map((one) => ({ ...one })),
  access: access.map((one) => ({ ...one })),
  authorized_at: textOf(authorized_at),
  last_used_at: textOf(last_used_at),
})

/** The wire form of a session. */
export const sessionData = (session: PlacedSession): Data => ({
  id: session.id,
  client_id: session.client_id,
  created_at: textOf(session.created_at),
  authenticated_at: textOf(session.authenticated_at),
  last_accessed_at: textOf(session.last_accessed_at),
  last_accessed_ip: session.last_accessed_ip,
  last_accessed_user_agent: session.last_accessed_user_agent,
  expires_at: textOf(session.expires_at),
  amr: session.amr,
  aal: session.aal,
  ...(session.geo_location_code === undefined
    ? {}
    : { geo_location_code: session.geo_location_code }),
  ...(session.impersonated_by === undefined ? {} : { impersonated_by: session.impersonated_by }),
})
