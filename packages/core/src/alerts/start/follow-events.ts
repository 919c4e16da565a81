import { createView } from '../../storage/view.ts'
import type { Instant } from '../../time/clock.ts'
import { alertCollection } from '../alert/alert.ts'
import type { AlertsContext } from '../context.ts'
import type { NotificationDecision } from '../dispatch/log/decision.ts'
import {
  alertEventData,
  type EventData,
  eventAlert,
  eventGroup,
  notificationData,
  silenceEventData,
  suppressionData,
} from '../event-recorder/event.ts'
import { createEndingAlerts } from '../history/ending-alerts.ts'
import type { Repeats } from '../history/repeats.ts'

/** How often it looks for alerts whose end has passed. */
const lookEveryMs = 1_000
/** An end counts as passed this long after it: another process may have moved it, which is seen within a second. */
const graceMs = 2_000
const maxEnds = 10_000

/** Records an event of an instant. */
export type RecordEvent = (data: EventData, at: Instant) => void

/** What {@link followEvents} needs besides the service. */
export interface FollowingOptions {
  readonly record: RecordEvent
  /** Suppressions that were recorded. */
  readonly suppressions: Repeats
}

/** Records what happens to alerts, silences and notifications from now on. Returns a function that stops. */
export function followEvents(alerts: AlertsContext, options: FollowingOptions): () => void {
  const { dispatch, board } = alerts
  const { record } = options
  const stops = [
    watchEnds(alerts, record),
    dispatch.onAlertsChanged((changes, now) => {
      for (const change of changes) {
        const { routingTree: tree } = board
        for (const data of alertEventData(change, { tree, now })) record(data, now)
      }
    }),
    dispatch.onSilenceChanged((change, now) => record(silenceEventData(change), now)),
    dispatch.onDecision((decision) => recordDecision(alerts, decision, options)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function recordDecision(
  { board }: AlertsContext,
  decision: NotificationDecision,
  { record, suppressions }: FollowingOptions,
): void {
  const { outcome, at } = decision
  if (outcome === 'sent') record(notificationData(decision), at)
  if (outcome !== 'silenced' && outcome !== 'inhibited') return
  const group = eventGroup(decision)
  for (const fingerprint of decision.firing) {
    const entry = board.alerts.get(fingerprint)
    if (entry === undefined) continue
    const { silencedBy, inhibitedBy } = board.statusOf(entry, at)
    const causes = outcome === 'silenced' ? silencedBy : inhibitedBy
    const key = `${outcome} ${fingerprint} ${group.receiver} ${group.groupKey}`
    if (!suppressions.isNews(key, causes.join(), at)) continue
    record(suppressionData({ outcome, fingerprint, causes, group }), at)
  }
}

/** Records alerts whose end passes silently. */
function watchEnds({ clock, storage }: AlertsContext, record: RecordEvent): () => void {
  const since = clock.now()
  const ending = createEndingAlerts()
  const view = createView({ storage, clock, collection: alertCollection, projection: ending })
  let isOver = false
  let cancel = (): void => {}
  const look = async (): Promise<void> => {
    try {
      await view.refresh()
      if (isOver) return
      for (const [fingerprint, alert] of ending.takeEnded(clock.now() - graceMs, maxEnds)) {
        if (alert.endsAt < since) continue
        record({ alertResolved: { alert: eventAlert(fingerprint, alert) } }, alert.endsAt)
      }
    } catch {
      // The storage does not work, which others report.
    }
    if (!isOver) cancel = clock.setTimer(lookEveryMs, () => void look())
  }
  void look()
  return () => {
    isOver = true
    cancel()
  }
}
