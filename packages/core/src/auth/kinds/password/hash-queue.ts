import { GatehouseError } from '../../../errors.ts'

/** Options of {@link createHashQueue}. */
export interface HashQueueOptions {
  /** How many jobs run at once. */
  readonly maxParallel: number
  /** How many more may wait. */
  readonly maxWaiting: number
  /** About how long one takes: what is refused is told when to come back. */
  readonly secondsPerJob: number
}

/** Whose password it is, and who sent it. What is absent is shared by all who do not say it. */
export interface HashRequester {
  readonly account?: string | undefined
  readonly address?: string | undefined
}

/**
 * Runs a job when it is its turn.
 *
 * @throws {GatehouseError} `TooManyRequest` if too many wait already, all together or of one account or address;
 *   `info.retryAfterSeconds` says when they are done.
 */
export type HashQueue = <T>(job: () => Promise<T>, requester?: HashRequester) => Promise<T>

/** An account, and an address, may have a quarter of the places in the line, where it is long enough. */
const sharesOfLine = 4
const leastShare = 4

/**
 * A queue for work that is dear in time or memory: both the work at once and the line are bounded. Addresses take turns, so
 * that one that sends much waits for itself.
 */
export function createHashQueue(options: HashQueueOptions): HashQueue {
  const { maxParallel, maxWaiting, secondsPerJob } = options
  requireCount('maxParallel', maxParallel, 1)
  requireCount('maxWaiting', maxWaiting, 0)
  const share = Math.max(leastShare, Math.floor(maxWaiting / sharesOfLine))
  /** Who waits, by address, the address whose turn is next first. */
  const waiting = new Map<string, (() => void)[]>()
  const waitingOf = new Map<string, number>()
  let length = 0
  let running = 0

  const count = (key: string, by: number): void => {
    const left = (waitingOf.get(key) ?? 0) + by
    if (left === 0) waitingOf.delete(key)
    else waitingOf.set(key, left)
  }

  const enter = (address: string, keys: readonly string[]): Promise<void> => {
    length++
    for (const key of keys) count(key, 1)
    return new Promise((resolve) => {
      const line = waiting.get(address) ?? []
      line.push(() => {
        length--
        for (const key of keys) count(key, -1)
        resolve()
      })
      waiting.set(address, line)
    })
  }

  const takeNext = (): (() => void) | undefined => {
    for (const [address, line] of waiting) {
      const next = line.shift()
      waiting.delete(address)
      if (line.length > 0) waiting.set(address, line)
      return next
    }
    return undefined
  }

  return async (job, { account, address } = {}) => {
    if (running < maxParallel) {
      running++
    } else {
      const named = { account, address }
      const keys = Object.entries(named).flatMap(([kind, name]) =>
        name === undefined ? [] : [`${kind}:${name}`],
      )
      const isShareTaken = keys.some((key) => (waitingOf.get(key) ?? 0) >= share)
      if (length >= maxWaiting || isShareTaken) {
        throw tooManyHashes(
          Math.max(1, Math.ceil(((running + length) / maxParallel) * secondsPerJob)),
        )
      }
      await enter(address ?? '', keys)
    }
    try {
      return await job()
    } finally {
      // The place passes on as it is, so that nobody who comes meanwhile can take it.
      const next = takeNext()
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
