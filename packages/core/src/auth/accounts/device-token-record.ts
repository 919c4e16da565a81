import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { instant, nullable, objectOf, optional, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'

/** A trusted device. */
export interface DeviceTokenRecord {
  readonly user_id: string
  readonly created_at: Instant
  /** The second factor that the device stands for; `null` or missing for any, after a recovery code and in old records. */
  readonly authenticator_id?: string | null
}

/** Device tokens by their SHA-256. */
export const deviceTokenCollection: TypedCollection<DeviceTokenRecord> = defineCollection({
  name: 'auth_device_tokens',
  fields: { user_id: 'text' },
  unreadable: 'skip',
  check: objectOf<DeviceTokenRecord>({
    user_id: text,
    created_at: instant,
    authenticator_id: optional(nullable(text)),
  }),
})
