import { isConflict, type Write } from '../../../storage/storage.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { FlushContext } from '../flush-context.ts'
import { claimKey, claimLifeMs, groupCollection } from '../group/group.ts'
import type { Sightings } from '../group/sightings.ts'
import {
  isSameState,
  type LoggedNotification,
  logCollection,
  logExpiry,
  type StoredLog,
  union,
} from '../log/log.ts'
import { type PauseOptions, pause } from '../pace/pause.ts'

/** The notifications of a process that lost its claim before it could log them. */
export interface Loss {
  /** The id of the group. */
  readonly id: string
  readonly logKey: string
  readonly holder: string
  readonly route: RouteNode
  /** Notifications it sent, by integration. */
  readonly sent: Readonly<Record<string, LoggedNotification>>
  /** Integrations that may have received a notification without confirming it. */
  readonly uncertain: readonly string[]
  /** Notifications that it sent, or may have sent, when another process may already have held the claim. */
  readonly late: Readonly<Record<string, LoggedNotification>>
}

/** How {@link correctAfterLoss} waits. */
export interface CorrectionOptions extends Omit<PauseOptions, 'clock'> {
  sightings: Sightings
}

/** How often it checks whether the other process has ended its flush. */
const lookMs = 250

/**
 * Corrects integrations after a lost claim. A notification that this process sent after another had taken over may have arrived
 * last. If it differed from the other one, the integration is notified of the state of the group again. The other process already
 * treats earlier notifications as uncertain.
 */
export async function correctAfterLoss(
  alerts: FlushContext,
  loss: Loss,
  { sightings, ...waiting }: CorrectionOptions,
): Promise<void> {
  const { storage, clock } = alerts
  const { logKey, holder } = loss
  for (;;) {
    const stored = await logCollection.get(storage, logKey)
    const claim = stored?.value.claim
    const isFree = claim === undefined || claim.holder === holder
    if (isFree || sightings.age(claimKey(claim)) >= claimLifeMs) {
      const isOurs = stored === undefined || claim?.holder === holder
      const log = isOurs ? withOurs(stored?.value, loss) : withDoubts(stored.value, loss)
      if (log === undefined) return
      const expiresAt = logExpiry(alerts, loss.route, clock.now())
      const writeLog = logCollection.write(logKey, log, {
        if: stored?.version ?? 'absent',
        expiresAt,
      })
      const writeGroup = isOurs ? [] : await flushAgain(alerts, loss)
      try {
        await storage.commit([writeLog, ...writeGroup])
        return
      } catch (error) {
        if (!isConflict(error)) throw error
      }
    } else if (!(await pause(lookMs, { clock, ...waiting }))) return
  }
}

/** Adds our notifications to the log, if no other process has flushed the group since the claim was lost. */
function withOurs(stored: StoredLog | undefined, { sent, uncertain }: Loss): StoredLog {
  const integrations = { ...stored?.integrations, ...sent }
  const open = (stored?.unknown ?? []).filter((integration) => !Object.hasOwn(sent, integration))
  const unknown = union(open, uncertain)
  return unknown.length === 0 ? { integrations } : { integrations, unknown }
}

/** Marks each integration as uncertain that may have received another state than the one that another process logged since. */
function withDoubts(stored: StoredLog, { late }: Loss): StoredLog | undefined {
  const doubtful = Object.entries(late)
    .filter(([integration, sent]) => !isSameState(stored.integrations[integration], sent))
    .map(([integration]) => integration)
  return doubtful.length === 0
    ? undefined
    : { ...stored, unknown: union(stored.unknown ?? [], doubtful) }
}

/** Makes the group due at once, with the resolved alerts that it may have to report again. */
async function flushAgain({ storage, clock }: FlushContext, { id, late }: Loss): Promise<Write[]> {
  const group = await groupCollection.get(storage, id)
  if (group === undefined || group.value.claim !== undefined) return []
  const sent = new Set(
    Object.values(late).flatMap(({ firing, resolved }) => [...firing, ...resolved]),
  )
  const done = Object.fromEntries(
    Object.entries(group.value.done).filter(([fingerprint]) => !sent.has(fingerprint)),
  )
  const value = { ...group.value, done, dueAt: clock.now() }
  return [groupCollection.write(id, value, { if: group.version })]
}
