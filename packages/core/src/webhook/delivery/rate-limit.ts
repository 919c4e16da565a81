import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { type SpentRate, storedRate } from '../../storage/rate-limit.ts'

/** By a hash of the webhook's id. */
export const rateCollection: TypedCollection<SpentRate> = defineCollection<SpentRate>({
  name: 'webhook_rates',
  unreadable: 'skip',
  check: storedRate,
})
