import type { RecordView, ViewColumn, ViewColumnType } from '../../storage/record-view.ts'
import type { ClaimName } from './identity-record.ts'
import { identityCollection } from './identity-record.ts'
import { sessionCollection } from './session-record.ts'
import { userCollection } from './user-record.ts'

const column =
  (type: ViewColumnType) =>
  (name: string, ...path: string[]): ViewColumn => ({
    name,
    path: path.length === 0 ? [name] : path,
    type,
  })

const text = column('text')
const flag = column('flag')
const instant = column('instant')
const json = column('json')

/** The attribute of the profile, which the app may have removed; otherwise of the oldest identity that has one. */
const claim = (name: string, of: ClaimName): ViewColumn => ({
  ...text(name, 'standard_attributes', of),
  otherwise: { collection: identityCollection, by: 'user_id', path: [of] },
})

const users: RecordView = {
  name: 'users',
  collection: userCollection,
  columns: [
    claim('email', 'email'),
    claim('phone', 'phone_number'),
    claim('username', 'preferred_username'),
    instant('created_at'),
    instant('updated_at'),
    instant('last_login_at'),
    flag('is_disabled'),
    flag('is_anonymized'),
    instant('delete_at'),
    json('standard_attributes'),
    json('custom_attributes'),
  ],
}

const identities: RecordView = {
  name: 'identities',
  collection: identityCollection,
  columns: [
    text('user_id'),
    text('type'),
    text('email'),
    text('phone', 'phone_number'),
    text('username', 'preferred_username'),
    text('provider', 'provider_alias'),
    text('subject'),
    instant('created_at'),
  ],
}

/** Without the hash of the token, which nobody needs outside. */
const sessions: RecordView = {
  name: 'sessions',
  collection: sessionCollection,
  columns: [
    text('user_id'),
    text('client_id'),
    instant('created_at'),
    instant('authenticated_at'),
    instant('last_accessed_at'),
    text('ip', 'last_accessed_ip'),
    text('user_agent', 'last_accessed_user_agent'),
    json('amr'),
  ],
}

/**
 * Users, identities and sessions as rows with plain columns, for programs that join them by SQL. None has a secret.
 *
 * @see docs/your-own-tables.md#views-with-plain-columns
 */
export const authViews: readonly RecordView[] = Object.freeze([users, identities, sessions])
