import { blockCollection, packedCollection } from '../history/history-block.ts'
import { healthCollection } from '../storage/health.ts'
import { shapeCollection } from '../storage/readable-storage.ts'
import type { Collection } from '../storage/storage.ts'
import { alertCollection } from './alert/alert.ts'
import { peerCollection } from './cluster/peer.ts'
import { groupCollection } from './dispatch/group/group.ts'
import { limitCollection } from './dispatch/limit/limit.ts'
import { logCollection } from './dispatch/log/log.ts'
import { watchCollection } from './expect/watch-record.ts'
import { alertHistoryCollection } from './history/alert-event.ts'
import { firingPeakCollection } from './history/firing-peak.ts'
import { notificationHistoryCollection } from './history/notification-record.ts'
import { silenceHistoryCollection } from './history/silence-event.ts'
import { recurringSilenceCollection } from './recurrence/recurring-silence.ts'
import { silenceCollection } from './silence/silence.ts'

/** All collections of the alert service, for programs that create the tables in advance. */
export const alertsCollections: readonly Collection[] = Object.freeze([
  shapeCollection,
  alertCollection,
  silenceCollection,
  recurringSilenceCollection,
  groupCollection,
  logCollection,
  watchCollection,
  limitCollection,
  notificationHistoryCollection,
  alertHistoryCollection,
  silenceHistoryCollection,
  firingPeakCollection,
  blockCollection,
  packedCollection,
  peerCollection,
  healthCollection,
])
