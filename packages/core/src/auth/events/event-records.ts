import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Identified } from '../accounts/account.ts'
import { type ApiKeyRecord, ownerOf } from '../accounts/api-key-record.ts'
import type { AuthenticatorRecord } from '../accounts/authenticator-record.ts'
import { withoutMark } from '../accounts/identities.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import type { AuthEvent } from './auth-event.ts'
import type { EventRecord, EventUser } from './hook.ts'

const textOf = (at: Instant): string => new Date(at).toISOString()
const textIf = (at: Instant | null): string | null => (at === null ? null : textOf(at))

/** A user as hooks and events see it. */
export function eventUser({
  created_at,
  updated_at,
  last_login_at,
  delete_at,
  anonymize_at,
  account_valid_from,
  account_valid_until,
  mfa_grace_end,
  ...user
}: Identified<UserRecord>): EventUser {
  const { id, standard_attributes, custom_attributes } = user
  const record = withoutAbsent({
    ...user,
    created_at: textOf(created_at),
    updated_at: textOf(updated_at),
    last_login_at: textIf(last_login_at),
    delete_at: textIf(delete_at),
    anonymize_at: textIf(anonymize_at),
    account_valid_from: textIf(account_valid_from),
    account_valid_until: textIf(account_valid_until),
    mfa_grace_end: textIf(mfa_grace_end),
  })
  return { ...record, id, standard_attributes, custom_attributes }
}

/** An identity as hooks and events see it. The data of a custom kind is left out. */
export function eventIdentity(identity: Identified<IdentityRecord>): EventRecord {
  const {
    user_id: _user,
    unique_key: _key,
    created_at,
    updated_at,
    ...rest
  } = withoutMark(identity)
  const { data: _data, ...open } = { data: null, ...rest }
  return withoutAbsent({
    ...open,
    created_at: textOf(created_at),
    updated_at: textOf(updated_at ?? created_at),
  })
}

/** An authenticator as hooks and events see it, without its secret. */
export function eventAuthenticator({
  id,
  type,
  kind,
  created_at,
  updated_at,
}: Identified<AuthenticatorRecord>): EventRecord {
  return { id, type, kind, created_at: textOf(created_at), updated_at: textOf(updated_at) }
}

function withoutAbsent(record: { readonly [name: string]: Json | undefined }): EventRecord {
  const members = Object.entries(record).flatMap(([name, value]): [string, Json][] =>
    value === undefined || value === null ? [] : [[name, value]],
  )
  return Object.fromEntries(members)
}

/** What events say of an API key, and of its owner. */
export function apiKeyPayload(id: string, record: ApiKeyRecord): AuthEvent['payload'] {
  const { name, scopes, expires_at } = record
  const { user_id: userId, service } = ownerOf(record)
  return {
    ...(userId === null ? { service } : { user: { id: userId } }),
    api_key: { id, name, scopes, expires_at: textIf(expires_at) },
  }
}
