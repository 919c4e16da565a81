import { healthCollection } from '../storage/health.ts'
import { shapeCollection } from '../storage/readable-storage.ts'
import type { Collection } from '../storage/storage.ts'
import { rateCollection } from './delivery/rate-limit.ts'
import { cancelCollection } from './records/cancel-requests.ts'
import { keyCollection } from './records/dedupe.ts'
import { dueCollection } from './records/due-run.ts'
import { latestCollection, placeCollection, waitCollection } from './records/place-records.ts'
import { outputCollection, runCollection } from './records/run-record.ts'
import { serverCollection } from './records/server-record.ts'

/** All collections of the webhook service, for programs that create the tables in advance. */
export const webhooksCollections: readonly Collection[] = Object.freeze([
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
  dueCollection,
  healthCollection,
])
