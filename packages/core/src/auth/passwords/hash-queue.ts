import { GatehouseError } from '../../errors.ts'

/** Options of {@link createHashQueue}. */
export interface HashQueueOptions {
  /** How many jobs run at once. */
  readonly maxParallel: number
  /** How many more may wait. */
  readonly maxWaiting: number
  /** About how long one takes: what is refused is told when to come back. */
  readonly secondsPerJob: number
}

/**
 * Runs a job when it is its turn.
 *
 * @throws {GatehouseError} `TooManyRequest` if too many wait already; `info.retryAfterSeconds` says when they are done.
 */
export type HashQueue = <T>(job: () => Promise<T>) => Promise<T>

/** A queue for work that is dear in time or memory: both the work at once and the line are bounded. */
export function createHashQueue(options: HashQueueOptions): HashQueue {
  const { maxParallel, maxWaiting, secondsPerJob } = options
  requireCount('maxParallel', maxParallel, 1)
  requireCount('maxWaiting', maxWaiting, 0)
  const waiting: (() => void)[] = []
  let running = 0

  return async (job) => {
    if (running < maxParallel) {
      running++
    } else {
      if (waiting.length >= maxWaiting) {
        const ahead = running + waiting.length
        throw tooManyHashes(Math.max(1, Math.ceil((ahead / maxParallel) * secondsPerJob)))
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await job()
    } finally {
      // The place passes on as it is, so that nobody who comes meanwhile can take it.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

function requireCount(name: string, value: number, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return
  throw new RangeError(`${name} must be an integer of at least ${min}, not ${value}`)
}

const tooManyHashes = (retryAfterSeconds: number): GatehouseError =>
  new GatehouseError('TooManyRequest', 'TooManyRequest', 'too many passwords are being checked', {
    info: { retryAfterSeconds },
  })
