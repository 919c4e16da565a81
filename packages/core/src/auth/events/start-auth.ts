import type { TypedRecord } from '../../storage/collection.ts'
import { type Json, retryOnConflict, type Storage, type Version } from '../../storage/storage.ts'
import { eventCountCollection, outboxCollection } from '../collections.ts'
import type { AuthContext } from '../context.ts'
import type { AuthEvent } from '../ports.ts'

/** What runs by itself, until it is stopped. */
export interface RunningAuth {
  /** Settles when what was under way has ended. */
  stop(): Promise<void>
}

type OutboxRecord = TypedRecord<{
  readonly event: Json
  readonly seq?: number
  readonly attempts: number
  readonly claimed_until: number | null
}>

const pollMs = 1_000
const leaseMs = 60_000
const batchSize = 100
/** An event that was refused so often in a row is given up, with a line in the log. */
const mostAttempts = 20
const longestPauseMs = 600_000

/**
 * Tells the host's `onEvent` of what happened, each event at least once and the older ones first. Of several processes on one
 * storage one tells each. An event that is refused is told again, later and later.
 */
export function startAuth(auth: AuthContext): RunningAuth {
  const { clock, logger } = auth
  let cancel = (): void => {}
  let running: Promise<void> = Promise.resolve()
  let isStopped = false

  const claims: Claims = new Map()

  const turn = async (): Promise<void> => {
    try {
      await tellAll(auth, claims, () => isStopped)
    } catch (error) {
      logger.warn({ error: String(error) }, 'events could not be told')
    }
    if (!isStopped) cancel = clock.setTimer(pollMs, start)
  }
  const start = (): void => {
    running = turn()
  }
  start()
  return {
    async stop() {
      isStopped = true
      cancel()
      await running
      await Promise.all(auth.sending)
    },
  }
}

/**
 * Claims as this process first saw them, by event. They end at an instant of the clock of another process, which may be
 * wrong by hours: one that has not changed for as long as it may last is over, whatever that clock showed.
 */
type Claims = Map<string, { readonly version: Version; readonly seenAt: number }>

const pauseAfter = (attempts: number): number => Math.min(pollMs * 2 ** attempts, longestPauseMs)

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

async function tellAll(auth: AuthContext, claims: Claims, isStopped: () => boolean): Promise<void> {
  if (auth.onEvent === undefined) return
  let after: { key: string; id: string } | undefined
  const found = new Set<string>()
  for (;;) {
    const query = { by: 'id', limit: batchSize, ...(after === undefined ? {} : { after }) }
    const records = await outboxCollection.find(auth.storage, query)
    for (const record of records) {
      if (isStopped()) return
      found.add(record.id)
      if (!isClaimed(auth, claims, record)) await tell(auth, auth.onEvent, record)
    }
    const last = records.at(-1)
    if (last === undefined || records.length < batchSize) break
    after = { key: last.id, id: last.id }
  }
  for (const id of claims.keys()) if (!found.has(id)) claims.delete(id)
}

async function tell(
  auth: AuthContext,
  onEvent: NonNullable<AuthContext['onEvent']>,
  record: OutboxRecord,
): Promise<void> {
  const { storage, clock, logger } = auth
  const { event, attempts } = record.value
  const seq = await claim(storage, record, clock.now() + leaseMs)
  if (seq === undefined) return
  try {
    // Only this service writes there, and it wrote an event.
    await onEvent({ ...(event as unknown as AuthEvent), seq })
    await storage.commit([outboxCollection.remove(record.id)])
  } catch (error) {
    const failed = attempts + 1
    const about = { event: record.id, attempts: failed, error: String(error) }
    if (failed >= mostAttempts) {
      logger.error(about, 'an event was given up')
      await storage.commit([outboxCollection.remove(record.id)])
      return
    }
    logger.warn(about, 'an event was refused')
    await retryOnConflict(() =>
      storage.commit([
        outboxCollection.write(record.id, {
          event,
          seq,
          attempts: failed,
          claimed_until: clock.now() + pauseAfter(failed),
        }),
      ]),
    )
  }
}

/** The one record that counts them. */
const countId = 'all'

/**
 * Takes an event, so that no other process tells it, and gives it its place among all events if it has none. Both is one commit: no two
 * events have one place, and none is left out.
 *
 * @returns its place; `undefined` if another process is telling it, or has.
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
