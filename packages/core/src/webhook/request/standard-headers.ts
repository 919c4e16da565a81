import type { Delivery } from './delivery.ts'

/** The headers of a delivery by Standard Webhooks. */
export interface StandardHeaders {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
}

/** Svix sends its own names; the rest is the same. */
const prefixes = ['webhook', 'svix'] as const

/**
 * The headers of a delivery by Standard Webhooks, all from one set of names: a signature covers only the id and the timestamp
 * beside it. `undefined` if no set is complete.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @see https://docs.svix.com/receiving/verifying-payloads/how-manual
 */
export function standardHeaders(header: Delivery['header']): StandardHeaders | undefined {
  for (const prefix of prefixes) {
    const id = header(`${prefix}-id`)
    const timestamp = header(`${prefix}-timestamp`)
    const signature = header(`${prefix}-signature`)
    if (id !== undefined && timestamp !== undefined && signature !== undefined) {
      return { id, timestamp, signature }
    }
  }
  return undefined
}
