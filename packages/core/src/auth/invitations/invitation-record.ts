import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import {
  anything,
  instant,
  mapOf,
  nullable,
  number,
  objectOf,
  text,
} from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import type { Attributes } from '../accounts/user-record.ts'

/** An invitation that nobody has accepted yet. */
export interface InvitationRecord {
  /** The address as the operator wrote it. */
  readonly email: string
  /** Ties links to this invitation, and not to a later one of the same address. */
  readonly nonce: string
  readonly created_at: Instant
  readonly expires_at: Instant
  /** When the last mail was sent; `null` if the app sends the link itself. */
  readonly sent_at: Instant | null
  readonly sent_count: number
  /** Who invited; `null` for the app. */
  readonly invited_by: string | null
  /** The language of the mail; `null` for the usual one. */
  readonly locale: string | null
  /** What the new user gets. */
  readonly standard_attributes: Attributes
  readonly custom_attributes: Attributes
}

/** Invitations by the SHA-256 of the login ID, so that an address has one at a time. */
export const invitationCollection: TypedCollection<InvitationRecord> = defineCollection({
  name: 'auth_invitations',
  fields: { created_at: 'number' },
  unreadable: 'skip',
  check: objectOf<InvitationRecord>({
    email: text,
    nonce: text,
    created_at: instant,
    expires_at: instant,
    sent_at: nullable(instant),
    sent_count: number,
    invited_by: nullable(text),
    locale: nullable(text),
    standard_attributes: mapOf(anything),
    custom_attributes: mapOf(anything),
  }),
})
