import { healthCollection } from '../storage/health.ts'
import { shapeCollection } from '../storage/readable-storage.ts'
import type { Collection } from '../storage/storage.ts'
import { cancelCollection } from './cancel-requests.ts'
import { keyCollection } from './dedupe.ts'
import { serverCollection } from './heartbeat.ts'
import { latestCollection, placeCollection, waitCollection } from './place-records.ts'
import { rateCollection } from './rate-limit.ts'
import { outputCollection, runCollection } from './run-record.ts'

/** Every collection the webhook service uses, for who prepares a database. */
export const webhookCollections: readonly Collection[] = Object.freeze([
  shapeCollection,
  runCollection,
  outputCollection,
  serverCollection,
  cancelCollection,
  keyCollection,
  rateCollection,
  placeCollection,
  waitCollection,
  latestCollection,
  healthCollection,
])
