import type { Collection } from '../storage.ts'
import { alertCollection } from './alert.ts'
import { peerCollection } from './peer.ts'
import { silenceCollection } from './silence.ts'

/** Every collection the alert service uses, for who prepares a database. */
export const alertsCollections: readonly Collection[] = Object.freeze([
  alertCollection,
  silenceCollection,
  peerCollection,
])
