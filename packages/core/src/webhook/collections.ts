import type { Collection } from '../storage.ts'
import { cancelCollection } from './cancel-requests.ts'
import { keyCollection } from './dedupe.ts'
import { serverCollection } from './heartbeat.ts'
import { rateCollection } from './rate-limit.ts'
import { outputCollection, runCollection } from './run-record.ts'

/** Every collection the webhook service uses, for who prepares a database. */
export const webhookCollections: readonly Collection[] = Object.freeze([
  runCollection,
  outputCollection,
  serverCollection,
  cancelCollection,
  keyCollection,
  rateCollection,
])
