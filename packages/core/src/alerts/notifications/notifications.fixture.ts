import { createHistoryIds } from '../../history/history-id.ts'
import type { Instant } from '../../time/clock.ts'
import type { AlertsContext } from '../context.ts'
import { alertHistoryCollection, type StoredAlertEvent } from '../history/alert-event.ts'
import {
  notificationHistoryCollection,
  type StoredNotification,
} from '../history/notification-record.ts'

const idOf = createHistoryIds({ random: () => 'process' })

/** Writes decisions into the history, and returns their ids. */
export async function record(
  { storage }: AlertsContext,
  decisions: readonly (Partial<StoredNotification> & { readonly at: Instant })[],
): Promise<string[]> {
  const writes = decisions.map((one) =>
    notificationHistoryCollection.write(idOf(one.at), {
      groupKey: '{}:{alertname="Disk"}',
      receiver: 'team',
      outcome: 'sent',
      firing: [],
      resolved: [],
      firingCount: one.firing?.length ?? 0,
      resolvedCount: one.resolved?.length ?? 0,
      ...one,
    }),
  )
  for (let i = 0; i < writes.length; i += 1_000) await storage.commit(writes.slice(i, i + 1_000))
  return writes.map(({ id }) => id)
}

/** Writes events of alerts into the history. */
export async function recordAlerts(
  { storage }: AlertsContext,
  events: readonly Omit<StoredAlertEvent, 'startsAt'>[],
): Promise<void> {
  await storage.commit(
    events.map((one) => alertHistoryCollection.write(idOf(one.at), { startsAt: one.at, ...one })),
  )
}
