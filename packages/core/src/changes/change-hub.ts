import { atEndOfTurn } from '../async/end-of-turn.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import { GatehouseError } from '../errors.ts'
import { eventIdBytes } from '../http/event-stream.ts'
import type { Logger } from '../logger.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { Clock } from '../time/clock.ts'
import type { ChangeBatch, ChangeFilter, ChangeSource } from './change.ts'
import {
  type ChangeListener,
  createChangeListener,
  mostPendingBytes,
  resetBytes,
} from './change-listener.ts'

/** The listeners of this process to the changes of one service. */
export interface ChangeHub<Topic extends string> {
  /**
   * Opens a stream of Server-Sent Events. Cancel it to stop listening.
   *
   * @param since the position of the last event that the client knows (default: it knows none).
   * @param mostAgeMs ends the stream after this time: clients connect again, and are asked who they are (default: never).
   * @throws {GatehouseError} `TooManyListeners`, `ServiceClosing`, and any error of the storage.
   */
  listen(
    filter: ChangeFilter<Topic>,
    since?: string,
    mostAgeMs?: number,
  ): Promise<ReadableStream<Uint8Array>>
  /** Something was stored: checks soon, if there are listeners. */
  wake(): void
  /** Ends all streams, and accepts no others. */
  close(): void
  readonly size: number
}

/** Options of {@link createChangeHub}. */
export interface ChangeHubOptions<Topic extends string> {
  readonly source: ChangeSource<Topic>
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: MetricsRegistry
  /** The prefix of its metrics. */
  readonly name: string
  /** The most listeners. */
  readonly limit: number
}

/** How often it looks for changes of other processes, which stores know within a second. */
const lookEveryMs = 500
/** The shortest time between two reads: many commits in this time become one batch. */
const restMs = 50
const beatEveryMs = 15_000

/** How long a stream of a request may stay open where reading needs a right, which may end meanwhile. */
export const rightsLastMs = 600_000

/** The limit of listeners is reached. */
const tooManyListeners = (limit: number): GatehouseError =>
  new GatehouseError(
    'ServiceUnavailable',
    'TooManyListeners',
    `too many streams of changes are open (limit: ${limit}), try again later`,
  )

const closing = (): GatehouseError =>
  new GatehouseError('ServiceUnavailable', 'ServiceClosing', 'the server is shutting down')

/** Creates a hub without listeners. It looks for changes only while there are some. */
export function createChangeHub<Topic extends string>(
  options: ChangeHubOptions<Topic>,
): ChangeHub<Topic> {
  const { source, clock, logger, limit } = options
  const listeners = new Set<ChangeListener<Topic>>()
  const metrics = registerChangeMetrics(options, () => listeners.size)
  /** Looks, and listeners that join, come one after the other: so no listener misses a change in between. */
  let lastTurn: Promise<unknown> = Promise.resolve()
  let opening = 0
  let position = ''
  let isClosed = false
  let isLookDue = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let beatAt = 0
  let cancelTimer: (() => void) | undefined
  let cancelRest: (() => void) | undefined
  let isFailing = false

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.then(work, work)
    lastTurn = turn
    return turn
  }

  const topicsOf = (more?: ChangeFilter<Topic>): ReadonlySet<Topic> => {
    const topics = new Set<Topic>(more?.topics)
    for (const { filter } of listeners) for (const topic of filter.topics) topics.add(topic)
    return topics
  }

  const look = async (more?: ChangeFilter<Topic>): Promise<void> => {
    isLookDue = false
    try {
      const batch = await source.look(topicsOf(more))
      position = batch.position
      publish(listeners, batch)
    } finally {
      lookedAt = clock.monotonic()
    }
  }

  const lookAgain = async (): Promise<void> => {
    if (listeners.size === 0) return
    try {
      await look()
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'changes could not be read')
      isFailing = true
    }
  }

  const lookSoon = (): void => {
    if (isLookDue || listeners.size === 0) return
    isLookDue = true
    const start = (): void => {
      cancelRest = undefined
      void inTurn(lookAgain)
    }
    const restFor = lookedAt + restMs - clock.monotonic()
    if (restFor > 0) cancelRest = clock.setTimer(restFor, start)
    else atEndOfTurn(start)
  }

  const beat = (): void => {
    const now = clock.monotonic()
    beatAt = now + beatEveryMs
    for (const listener of [...listeners]) {
      const reason = listener.beat(position, now)
      if (reason === undefined) continue
      if (reason === 'slow') metrics.slow.add(1, { outcome: 'closed' })
      listener.end(reason)
    }
  }

  const arm = (): void => {
    cancelTimer = clock.setTimer(lookEveryMs, () => {
      lookSoon()
      if (clock.monotonic() >= beatAt) beat()
      if (listeners.size > 0) arm()
    })
  }

  const start = (): void => {
    beatAt = clock.monotonic() + beatEveryMs
    arm()
  }

  const leave = (listener: ChangeListener<Topic>): void => {
    if (!listeners.delete(listener) || listeners.size + opening > 0) return
    stop()
  }

  const stop = (): void => {
    cancelTimer?.()
    cancelRest?.()
    cancelTimer = undefined
    cancelRest = undefined
    isLookDue = false
    // Not during a look, which would remember the state again.
    void inTurn(async () => {
      if (listeners.size + opening === 0) source.rest()
    })
  }

  const join = async (
    filter: ChangeFilter<Topic>,
    since: string | undefined,
    mostAgeMs: number | undefined,
  ): Promise<ReadableStream<Uint8Array>> => {
    await look(filter)
    const missed = since === undefined ? undefined : await source.since(since, filter.topics)
    if (isClosed) throw closing()
    const listener = createChangeListener<Topic>({
      filter,
      mostAgeMs,
      now: () => clock.monotonic(),
      onGone: () => leave(listener),
      onReset: () => metrics.slow.add(1, { outcome: 'reset' }),
    })
    listener.begin(position, missed !== undefined)
    if (missed !== undefined) {
      const batch = { changes: missed, position }
      listener.push(batch, () => {
        const joined = joinedBytes(filter, batch)
        return joined.length > 0 ? joined : eventIdBytes(position)
      })
    }
    listeners.add(listener)
    if (cancelTimer === undefined) start()
    return listener.stream
  }

  return {
    async listen(filter, since, mostAgeMs) {
      if (isClosed) throw closing()
      if (listeners.size + opening >= limit) throw tooManyListeners(limit)
      opening++
      try {
        return await inTurn(() => join(filter, since, mostAgeMs))
      } finally {
        opening--
        if (listeners.size + opening === 0) stop()
      }
    },

    wake: lookSoon,

    close() {
      isClosed = true
      for (const listener of [...listeners]) listener.end('closing')
    },

    get size() {
      return listeners.size
    },
  }
}

/** Sends a batch: listeners with the same filter share the test of each change, and the bytes. */
function publish<Topic extends string>(
  listeners: ReadonlySet<ChangeListener<Topic>>,
  batch: ChangeBatch<Topic>,
): void {
  if (batch.changes.length === 0) return
  const known = new Map<string, Uint8Array>()
  for (const listener of listeners) {
    const { filter } = listener
    listener.push(batch, () => getOrCreate(known, filter.id, () => joinedBytes(filter, batch)))
  }
}

/**
 * The wanted changes, and at their end the position: a client that loses its connection in between gets all of them again. Empty
 * if there are none. Very many are less work for all if the client reads the lists.
 */
function joinedBytes<Topic extends string>(
  filter: ChangeFilter<Topic>,
  { changes, position }: ChangeBatch<Topic>,
): Uint8Array {
  const pieces: Uint8Array[] = []
  let length = 0
  for (const change of changes) {
    if (!filter.wants(change)) continue
    pieces.push(change.bytes)
    length += change.bytes.length
    if (length > mostPendingBytes) return Buffer.concat([resetBytes, eventIdBytes(position)])
  }
  return pieces.length === 0 ? nothing : Buffer.concat([...pieces, eventIdBytes(position)])
}

const nothing = new Uint8Array()

function registerChangeMetrics(
  { metrics, name }: Pick<ChangeHubOptions<string>, 'metrics' | 'name'>,
  size: () => number,
) {
  metrics.gauge({
    name: `${name}_listeners`,
    help: 'Current number of open streams of changes.',
    collect: (gauge) => gauge.set(size()),
  })
  const slow = metrics.counter({
    name: `${name}_slow_listeners_total`,
    help: 'Total number of times a listener was too slow: it had to read everything again, or was disconnected.',
    labels: ['outcome'],
  })
  for (const outcome of ['reset', 'closed']) slow.add(0, { outcome })
  return { slow }
}
