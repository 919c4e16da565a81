import { inSlices } from '../../async/slices.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { alertCollection } from '../alert/alert.ts'
import type { AlertBoard } from '../board/board.ts'
import { silenceCollection } from '../silence/silence.ts'
import { lateMs } from './history-tracker.ts'
import type { ChangePosition } from './position.ts'

/** The most alerts and silences that a client that comes back gets; with more, reading the lists is less work. */
const maxMissed = 2_000
/** Alerts and silences that may have changed. */
export interface Touched {
  /** Fingerprints. */
  readonly alerts: ReadonlySet<string>
  /** Ids. */
  readonly silences: ReadonlySet<string>
  /** Whether the labels of all these alerts are known. */
  readonly areAllKnown: boolean
}

/** Finds the alerts and silences that may have changed since a position; `undefined` if that is not known, or if they are many. */
export async function touchedSince(
  { storage, board }: { readonly storage: Storage; readonly board: AlertBoard },
  from: ChangePosition,
  now: Instant,
): Promise<Touched | undefined> {
  const [ofAlerts, ofSilences] = await Promise.all([
    alertCollection.changes(storage, from.alerts),
    silenceCollection.changes(storage, from.silences),
  ])
  if ('reset' in ofAlerts || 'reset' in ofSilences) return undefined
  const touched = new Set([...ofAlerts.written.map(({ id }) => id), ...ofAlerts.removed])
  const touchedSilences = new Set([
    ...ofSilences.written.map(({ id }) => id),
    ...ofSilences.removed,
  ])
  // Clocks of processes differ a little.
  const after = from.at - lateMs
  const passed = (at: Instant): boolean => after < at && at <= now
  for (const { id, value } of board.alerts.stored.values())
    if (passed(value.endsAt)) touched.add(id)
  for (const { fingerprint, alert } of board.alerts.acknowledged()) {
    if (passed(alert.acknowledgement?.until ?? 0)) touched.add(fingerprint)
  }
  for (const { id, startsAt, endsAt, matchers } of board.silences.entries()) {
    if (passed(startsAt) || passed(endsAt)) touchedSilences.add(id)
    if (!touchedSilences.has(id)) continue
    for (const { fingerprint } of await inSlices(board.alerts.matching(matchers))) {
      touched.add(fingerprint)
    }
    if (touched.size > maxMissed) return undefined
  }
  if (touched.size > 0) {
    for (const { fingerprint, targetOf } of board.alerts.all()) {
      if (targetOf.length > 0) touched.add(fingerprint)
    }
  }
  if (touched.size + touchedSilences.size > maxMissed) return undefined
  const areAllKnown = ofAlerts.removed.every((id) => board.alerts.stored.get(id) !== undefined)
  return { alerts: touched, silences: touchedSilences, areAllKnown }
}
