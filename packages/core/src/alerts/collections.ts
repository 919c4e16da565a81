import type { Collection } from '../storage.ts'
import { alertCollection } from './alert.ts'
import { groupCollection } from './dispatch/group.ts'
import { logCollection } from './dispatch/log.ts'
import { alertHistoryCollection } from './history/alert-event.ts'
import { notificationHistoryCollection } from './history/notification-record.ts'
import { silenceHistoryCollection } from './history/silence-event.ts'
import { peerCollection } from './peer.ts'
import { silenceCollection } from './silence.ts'

/** Every collection the alert service uses, for who prepares a database. */
export const alertsCollections: readonly Collection[] = Object.freeze([
  alertCollection,
  silenceCollection,
  groupCollection,
  logCollection,
  notificationHistoryCollection,
  alertHistoryCollection,
  silenceHistoryCollection,
  peerCollection,
])
