import { GatehouseError } from '../../../errors.ts'

/** Options of {@link createHashQueue}. */
export interface HashQueueOptions {
  /** How many jobs run at once. */
  readonly maxParallel: number
  /** How many more may wait. */
  readonly maxWaiting: number
  /** The approximate duration of a job, for the estimate in refusals. */
  readonly secondsPerJob: number
}

/** The account of a password, and the address that sent it. Requests without one share a place. */
export interface HashRequester {
  readonly account?: string | undefined
  readonly address?: string | undefined
}

/**
 * Runs a job when it is its turn.
 *
 * @throws {GatehouseError} `TooManyRequest` if too many jobs wait, in total or for one account or address;
 *   `info.retryAfterSeconds` estimates when they are done.
 */
export type HashQueue = <T>(job: () => Promise<T>, requester?: HashRequester) => Promise<T>

/** An account, and an address, may have a quarter of the places in the queue, if it is long enough. */
const sharesOfLine = 4
const leastShare = 4

/**
 * Creates a queue for work that is expensive in time or memory. Limits both the concurrent work and the waiting jobs. Addresses
 * take turns, so that an address with many requests delays only itself.
 */
export function createHashQueue(options: HashQueueOptions): HashQueue {
  const { maxParallel, maxWaiting, secondsPerJob } = options
  requireCount('maxParallel', maxParallel, 1)
  requireCount('maxWaiting', maxWaiting, 0)
  const share = Math.max(leastShare, Math.floor(maxWaiting / sharesOfLine))
  /** The waiting jobs by address; the address whose turn is next comes first. */
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
      // Hands the place on directly, so that a job arriving meanwhile cannot take it.
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
