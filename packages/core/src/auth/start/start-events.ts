import { type Running, repeat } from '../../async/running.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { type Json, retryOnConflict, type Storage, type Version } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import { inTransaction } from '../errors.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { eventCountCollection, outboxCollection } from '../events/outbox.ts'
import { type EventReceiver, hasReceivers, receiversOf } from '../events/receivers.ts'
import type { EndedSessions } from '../flow/session/authorization-bridge.ts'

type OutboxRecord = TypedRecord<{
  readonly event: Json
  readonly seq?: number
  readonly attempts: number
  readonly accepted?: readonly string[]
  readonly claimed_until: number | null
  readonly ended?: EndedSessions
}>

const pollMs = 1_000
const leaseMs = 60_000
const batchSize = 100
/** It packs the audit log in one of this many turns. */
const turnsPerPacking = 60
/** After so many failed attempts an event is dropped, with a line in the log. */
const maxAttempts = 20
const maxPauseMs = 600_000

/**
 * Delivers events to the host's `onEvent`, to the webhooks of the configuration, and the end of sessions to apps of the authorization server, each at least once, the older ones first. Of several processes on one storage, one
 * delivers each event. A refused event is sent again with a growing pause, to the receivers that have not accepted it.
 *
 * It also writes the audit log of this process, every second, after the events were stored: a crash loses its last second. Every
 * minute it packs older records, which then take about a tenth of the space. Start it in every process that serves requests.
 */
export function startEvents(auth: AuthContext): Running {
  if (auth.transaction !== undefined) throw inTransaction('startEvents()')
  const { clock, logger } = auth
  const claims: Claims = new Map()
  let turns = 0
  let isAuditFailing = false
  auth.background.isStarted = true
  auth.audit.start()

  const audit = async (isStopped: () => boolean): Promise<void> => {
    try {
      await auth.audit.write()
      if (turns++ % turnsPerPacking === 0) await auth.audit.pack(isStopped)
      isAuditFailing = false
    } catch (error) {
      if (!isAuditFailing) logger.warn({ error: String(error) }, 'the audit log is not written')
      isAuditFailing = true
    }
  }

  const deliveries = repeat({ clock, intervalMs: pollMs }, async (isStopped) => {
    try {
      await deliverAll(auth, claims, isStopped)
    } catch (error) {
      logger.warn({ error: String(error) }, 'events could not be delivered')
    }
    await audit(isStopped)
  })
  return {
    async stop() {
      await deliveries.stop()
      await Promise.all(auth.sending)
      // Messages that were still being sent have events, too.
      await audit(() => true)
      auth.audit.drop()
    },
  }
}

/**
 * When this process first saw each claim, by event. The end of a claim is an instant of another process's clock, which may be
 * wrong by hours. So a claim that has not changed for its longest duration is over, whatever its end says.
 */
type Claims = Map<string, { readonly version: Version; readonly seenAt: number }>

const pauseAfter = (attempts: number): number => Math.min(pollMs * 2 ** attempts, maxPauseMs)

function isClaimed({ clock }: AuthContext, claims: Claims, record: OutboxRecord): boolean {
  const { claimed_until: until, attempts } = record.value
  if (until === null || clock.now() >= until) return false
  const known = claims.get(record.id)
  if (known?.version === record.version) {
    return clock.monotonic() - known.seenAt < Math.max(leaseMs, pauseAfter(attempts))
  }
  claims.set(record.id, { version: record.version, seenAt: clock.monotonic() })
  return true
}

async function deliverAll(
  auth: AuthContext,
  claims: Claims,
  isStopped: () => boolean,
): Promise<void> {
  if (!hasReceivers(auth)) return
  let after: { key: string; id: string } | undefined
  const found = new Set<string>()
  for (;;) {
    const query = { by: 'id', limit: batchSize, ...(after === undefined ? {} : { after }) }
    const records = await outboxCollection.find(auth.storage, query)
    for (const record of records) {
      if (isStopped()) return
      found.add(record.id)
      if (!isClaimed(auth, claims, record)) await deliver(auth, record)
    }
    const last = records.at(-1)
    if (last === undefined || records.length < batchSize) break
    after = { key: last.id, id: last.id }
  }
  for (const id of claims.keys()) if (!found.has(id)) claims.delete(id)
}

async function deliver(auth: AuthContext, record: OutboxRecord): Promise<void> {
  const { storage, clock, logger } = auth
  const { event: stored, attempts, accepted = [], ended } = record.value
  // Only this service writes to the outbox, and only events.
  const event = stored as unknown as AuthEvent
  // In a process without receivers, an event waits for one with them.
  const receivers = receiversOf(auth, event.type, ended)
  if (receivers.length === 0) return
  const seq = await claim(storage, record, clock.now() + leaseMs)
  if (seq === undefined) return
  const outcome = await sendToAll(receivers, { ...event, seq }, accepted)
  if (outcome.problem === undefined) {
    await storage.commit([outboxCollection.remove(record.id)])
  } else {
    const failed = attempts + 1
    const about = { event: record.id, attempts: failed, error: outcome.problem }
    if (failed >= maxAttempts) {
      logger.error(about, 'an event was dropped')
      await storage.commit([outboxCollection.remove(record.id)])
      return
    }
    logger.warn(about, 'an event was refused')
    await retryOnConflict(() =>
      storage.commit([
        outboxCollection.write(record.id, {
          ...record.value,
          seq,
          attempts: failed,
          accepted: outcome.accepted,
          claimed_until: clock.now() + pauseAfter(failed),
        }),
      ]),
    )
  }
}

/** Sends an event to all receivers that have not accepted it. `problem` names the failures, without URLs. */
async function sendToAll(
  receivers: readonly EventReceiver[],
  event: AuthEvent,
  before: readonly string[],
): Promise<{ readonly accepted: readonly string[]; readonly problem?: string }> {
  const open = receivers.filter(({ key }) => !before.includes(key))
  const outcomes = await Promise.allSettled(open.map(({ send }) => send(event)))
  const accepted = open.filter((_, index) => outcomes[index]?.status === 'fulfilled')
  const problems = outcomes.flatMap((one) =>
    one.status === 'rejected' ? [String(one.reason)] : [],
  )
  return {
    accepted: [...before, ...accepted.map(({ key }) => key)],
    ...(problems.length === 0 ? {} : { problem: problems.join('; ') }),
  }
}

/** The id of the one record that counts the events. */
const countId = 'all'

/**
 * Claims an event, so that no other process delivers it, and numbers it if it has no number. Both happen in one commit, so
 * numbers are unique and without gaps.
 *
 * @returns the number; `undefined` if another process delivers the event or has delivered it.
 */
function claim(
  storage: Storage,
  { id, version, value }: OutboxRecord,
  until: number,
): Promise<number | undefined> {
  return retryOnConflict(async () => {
    const [current, count] = await Promise.all([
      outboxCollection.get(storage, id),
      eventCountCollection.get(storage, countId),
    ])
    if (current?.version !== version) return undefined
    const seq = value.seq ?? (count?.value.count ?? 0) + 1
    const claimed = outboxCollection.write(
      id,
      { ...value, seq, claimed_until: until },
      { if: version },
    )
    const counted = eventCountCollection.write(
      countId,
      { count: seq },
      { if: count?.version ?? 'absent' },
    )
    await storage.commit(value.seq === undefined ? [claimed, counted] : [claimed])
    return seq
  })
}
