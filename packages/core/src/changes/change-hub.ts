import { atEndOfTurn } from '../async/end-of-turn.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import { oneByOne } from '../async/one-by-one.ts'
import { GatehouseError } from '../errors.ts'
import { eventIdBytes } from '../http/event-stream.ts'
import type { Logger } from '../logger.ts'
import { declareMetrics, type MetricRows } from '../metrics/declare-metrics.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { Clock } from '../time/clock.ts'
import type { ChangeBatch, ChangeFilter, ChangeSource } from './change.ts'
import {
  type ChangeListener,
  createChangeListener,
  maxPendingBytes,
  resetBytes,
} from './change-listener.ts'

/** The listeners of this process to the changes of one service. */
export interface ChangeHub<Topic extends string> {
  /**
   * Opens a stream of Server-Sent Events. Cancel it to stop listening.
   *
   * @param since the position of the last event that the client knows (default: it knows none).
   * @param maxAgeMs ends the stream after this time: clients connect again, and are asked who they are (default: never).
   * @throws {GatehouseError} `TooManyListeners`, `ServiceClosing`, and any error of the storage.
   */
  listen(
    filter: ChangeFilter<Topic>,
    since?: string,
    maxAgeMs?: number,
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
  const { source, clock, limit } = options
  const listeners = new Set<ChangeListener<Topic>>()
  const metrics = registerChangeMetrics(options, () => listeners.size)
  const looks = createLooks(options, listeners)
  let opening = 0
  let isClosed = false

  const pulse = createPulse(clock, {
    isNeeded: () => listeners.size > 0,
    onLook: looks.soon,
    beat: (now) => beatAll(listeners, looks.position, { now, metrics }),
  })

  const isIdle = (): boolean => listeners.size + opening === 0

  const stopIfIdle = (): void => {
    if (!isIdle()) return
    pulse.stop()
    looks.rest(isIdle)
  }

  const join: ChangeHub<Topic>['listen'] = async (filter, since, maxAgeMs) => {
    const missed = since === undefined ? undefined : await source.since(since, filter.topics)
    if (isClosed) throw closing()
    const listener = createChangeListener<Topic>({
      filter,
      maxAgeMs,
      now: () => clock.monotonic(),
      onGone() {
        if (listeners.delete(listener)) stopIfIdle()
      },
      onReset: () => metrics.slow.add(1, { outcome: 'reset' }),
    })
    beginAt(listener, looks.position, missed)
    listeners.add(listener)
    pulse.start()
    return listener.stream
  }

  return {
    async listen(filter, since, maxAgeMs) {
      if (isClosed) throw closing()
      if (listeners.size + opening >= limit) throw tooManyListeners(limit)
      opening++
      try {
        return await looks.after(filter, () => join(filter, since, maxAgeMs))
      } finally {
        opening--
        stopIfIdle()
      }
    },

    wake: looks.soon,

    close() {
      isClosed = true
      for (const listener of [...listeners]) listener.end('closing')
    },

    get size() {
      return listeners.size
    },
  }
}

/**
 * Looks for changes and publishes them. Looks, and listeners that join, come one after the other: so no listener misses a change in
 * between.
 */
function createLooks<Topic extends string>(
  { source, clock, logger }: Pick<ChangeHubOptions<Topic>, 'source' | 'clock' | 'logger'>,
  listeners: ReadonlySet<ChangeListener<Topic>>,
) {
  const inTurn = oneByOne()
  let position = ''
  let isFailing = false

  const look = async (more?: ChangeFilter<Topic>): Promise<void> => {
    pace.began()
    try {
      const batch = await source.look(topicsOf(listeners, more))
      position = batch.position
      publish(listeners, batch)
    } finally {
      pace.ended()
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

  const pace = createPace(clock, {
    isNeeded: () => listeners.size > 0,
    look: () => void inTurn(lookAgain),
  })

  return {
    /** That of the last look. */
    get position(): string {
      return position
    },
    soon: pace.soon,

    /** Runs something right after a look that has the topics of this filter too. */
    after: <T>(filter: ChangeFilter<Topic>, run: () => Promise<T>): Promise<T> =>
      inTurn(async () => {
        await look(filter)
        return run()
      }),

    /** Looks no more, until it is asked to. */
    rest(isIdle: () => boolean): void {
      pace.stop()
      // Not during a look, which would remember the state again.
      void inTurn(async () => {
        if (isIdle()) source.rest()
      })
    },
  }
}

/** The topics of all listeners, and of one that joins. */
function topicsOf<Topic extends string>(
  listeners: ReadonlySet<ChangeListener<Topic>>,
  more: ChangeFilter<Topic> | undefined,
): ReadonlySet<Topic> {
  const topics = new Set<Topic>(more?.topics)
  for (const { filter } of listeners) for (const topic of filter.topics) topics.add(topic)
  return topics
}

/** Lets a listener begin at a position, with what it has missed; `undefined` if it must read everything. */
function beginAt<Topic extends string>(
  listener: ChangeListener<Topic>,
  position: string,
  missed: ChangeBatch<Topic>['changes'] | undefined,
): void {
  listener.begin(position, missed !== undefined)
  if (missed === undefined) return
  const batch = { changes: missed, position }
  listener.push(batch, () => {
    const joined = joinedBytes(listener.filter, batch)
    return joined.length > 0 ? joined : eventIdBytes(position)
  })
}

/** Shows every listener that the connection lives, and ends those that must end. */
function beatAll(
  listeners: Iterable<Pick<ChangeListener<string>, 'beat' | 'end'>>,
  position: string,
  { now, metrics }: { now: number; metrics: ReturnType<typeof registerChangeMetrics> },
): void {
  for (const listener of [...listeners]) {
    const reason = listener.beat(position, now)
    if (reason === undefined) continue
    if (reason === 'slow') metrics.slow.add(1, { outcome: 'closed' })
    listener.end(reason)
  }
}

/** Starts looks, with a rest between two of them. */
function createPace(
  clock: Clock,
  { isNeeded, look }: { isNeeded: () => boolean; look: () => void },
) {
  let isDue = false
  let endedAt = Number.NEGATIVE_INFINITY
  let cancelRest: (() => void) | undefined
  const start = (): void => {
    cancelRest = undefined
    look()
  }
  return {
    /** Starts a look soon, unless one is about to start, or none is needed. */
    soon(): void {
      if (isDue || !isNeeded()) return
      isDue = true
      const restFor = endedAt + restMs - clock.monotonic()
      if (restFor > 0) cancelRest = clock.setTimer(restFor, start)
      else atEndOfTurn(start)
    },
    began(): void {
      isDue = false
    },
    ended(): void {
      endedAt = clock.monotonic()
    },
    stop(): void {
      cancelRest?.()
      cancelRest = undefined
      isDue = false
    },
  }
}

/** Looks and beats at regular times, while that is needed. */
function createPulse(
  clock: Clock,
  {
    isNeeded,
    onLook,
    beat,
  }: {
    isNeeded: () => boolean
    onLook: () => void
    beat: (now: number) => void
  },
) {
  let cancelTimer: (() => void) | undefined
  let beatAt = 0
  const arm = (): void => {
    cancelTimer = clock.setTimer(lookEveryMs, () => {
      onLook()
      const now = clock.monotonic()
      if (now >= beatAt) {
        beatAt = now + beatEveryMs
        beat(now)
      }
      if (isNeeded()) arm()
    })
  }
  return {
    start(): void {
      if (cancelTimer !== undefined) return
      beatAt = clock.monotonic() + beatEveryMs
      arm()
    },
    stop(): void {
      cancelTimer?.()
      cancelTimer = undefined
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
    if (length > maxPendingBytes) return Buffer.concat([resetBytes, eventIdBytes(position)])
  }
  return pieces.length === 0 ? nothing : Buffer.concat([...pieces, eventIdBytes(position)])
}

const nothing = new Uint8Array()

const rowsOf = (name: string) =>
  ({
    listeners: {
      type: 'gauge',
      name: `${name}_listeners`,
      help: 'Current number of open streams of changes.',
    },
    slow: {
      type: 'counter',
      name: `${name}_slow_listeners_total`,
      help: 'Total number of times a listener was too slow: it had to read everything again, or was disconnected.',
      labels: ['outcome'],
    },
  }) satisfies MetricRows

function registerChangeMetrics(
  { metrics, name }: Pick<ChangeHubOptions<string>, 'metrics' | 'name'>,
  size: () => number,
) {
  const { slow } = declareMetrics(metrics, rowsOf(name), {
    listeners: (gauge) => gauge.set(size()),
  })
  for (const outcome of ['reset', 'closed']) slow.add(0, { outcome })
  return { slow }
}
