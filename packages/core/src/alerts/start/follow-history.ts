import { createHistoryIds, expiredId } from '../../history/history-id.ts'
import type { HistoryWriter } from '../../history/history-writer.ts'
import type { Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { AlertsContext } from '../context.ts'
import {
  type AlertEvent,
  alertEvents,
  alertHistoryCollection,
  storedAlertEvent,
} from '../history/alert-event.ts'
import { notificationHistoryCollection, notificationOf } from '../history/notification-record.ts'
import { silenceEvent, silenceHistoryCollection } from '../history/silence-event.ts'
import { createWorthNoting } from '../history/worth-noting.ts'

/** Makes records of what happens, until it is stopped. */
export interface HistoryFollowing {
  /** Makes the record of an event that was not followed: the end of an alert that passed. */
  note(event: AlertEvent): void
  stop(): void
}

/** Options of {@link followHistory}. */
export interface HistoryFollowingOptions {
  /** Takes a record. */
  readonly add: HistoryWriter['add']
  /** Called with the number of alerts that changed, before their records are made. */
  readonly onChanged: (count: number) => void
}

/** Makes records of decisions, alerts and silences that are worth noting. */
export function followHistory(
  { dispatch, ids, options: { historyRetentionMs } }: AlertsContext,
  { add, onChanged }: HistoryFollowingOptions,
): HistoryFollowing {
  const idAt = createHistoryIds(ids)
  const worthNoting = createWorthNoting()
  const kept = (at: Instant): { expiresAt: Instant } => ({ expiresAt: at + historyRetentionMs })

  const note = (event: AlertEvent): void => {
    const { at, fingerprint } = event
    const record = (id: string): Write =>
      alertHistoryCollection.write(id, storedAlertEvent(event), kept(at))
    if (event.event === 'expired') {
      // Every process sees an end pass, and records it under the same id.
      const id = expiredId(fingerprint, at)
      add(() => record(id), id)
    } else {
      add(() => record(idAt(at)))
    }
  }

  const stops = [
    dispatch.onDecision((decision) => {
      if (!worthNoting.decision(decision)) return
      const { at } = decision
      const value = notificationOf(decision)
      add(() => notificationHistoryCollection.write(idAt(at), value, kept(at)))
    }),
    dispatch.onAlertsChanged((changes, now) => {
      onChanged(changes.length)
      for (const change of changes) {
        for (const event of alertEvents(change, now)) {
          if (worthNoting.event(event)) note(event)
        }
      }
    }),
    dispatch.onSilenceChanged((change, now) => {
      const value = silenceEvent(change, now)
      add(() => silenceHistoryCollection.write(idAt(now), value, kept(now)))
    }),
  ]

  return {
    note,
    stop() {
      for (const stop of stops) stop()
    },
  }
}
