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

/** What a process knows that lost its claim before it could log what it did. */
export interface Loss {
  /** The id of the group. */
  readonly id: string
  readonly logKey: string
  readonly holder: string
  readonly route: RouteNode
  /** What it told integrations. */
  readonly told: Readonly<Record<string, LoggedNotification>>
  /** Integrations that may have received a notification although they did not confirm it. */
  readonly uncertain: readonly string[]
  /** What it told, or may have, while somebody else may have had the claim already. */
  readonly late: Readonly<Record<string, LoggedNotification>>
}

/** What {@link correctAfterLoss} waits by. */
export interface CorrectionOptions extends Omit<PauseOptions, 'clock'> {
  sightings: Sightings
}

/** How often it looks whether the other process has ended its flush. */
const lookMs = 250

/**
 * What this process sent after another one had taken its flush over may have arrived last. Where that said something else, the
 * integration is told the state of the group once more; what was sent before is known to the other process as uncertain.
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

/** The log, where the claim was lost with the group and nobody else flushed it since. */
function withOurs(stored: StoredLog | undefined, { told, uncertain }: Loss): StoredLog {
  const integrations = { ...stored?.integrations, ...told }
  const open = (stored?.unknown ?? []).filter((integration) => !Object.hasOwn(told, integration))
  const unknown = union(open, uncertain)
  return unknown.length === 0 ? { integrations } : { integrations, unknown }
}

/** The log with a doubt about each integration that may have been told something else than another process logged since. */
function withDoubts(stored: StoredLog, { late }: Loss): StoredLog | undefined {
  const doubtful = Object.entries(late)
    .filter(([integration, sent]) => !isSameState(stored.integrations[integration], sent))
    .map(([integration]) => integration)
  return doubtful.length === 0
    ? undefined
    : { ...stored, unknown: union(stored.unknown ?? [], doubtful) }
}

/** Lets the group be flushed as soon as possible, with the resolved alerts that it may have to tell of again. */
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
