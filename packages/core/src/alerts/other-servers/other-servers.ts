import { isGatehouseError } from '../../errors.ts'
import type { SendRequest } from '../../http-client/send-request.ts'
import { Refusal } from '../../input/refusal.ts'
import type { Logger } from '../../logger.ts'
import type { Clock } from '../../time/clock.ts'
import type * as wire from '../wire/types.generated.ts'
import { connectionTo, type OtherServer } from './other-server.ts'
import { readGroups } from './read-groups.ts'

/** What was read of another server, or why it was not. */
export type OtherReading =
  | { readonly groups: readonly wire.AlertGroup[]; readonly readAt: number }
  | { readonly failure: string }

/** Reads the alerts of other servers while pages show them. */
export interface OtherServers {
  readonly servers: readonly OtherServer[]
  /**
   * Returns the alerts of a server, at most a few seconds old, or a reading of the last minute if a new one takes long; `undefined`
   * if there is no such server.
   */
  read(name: string): Promise<OtherReading | undefined>
}

/** Dependencies of {@link createOtherServers}. */
export interface OtherServersOptions {
  readonly servers: readonly OtherServer[]
  readonly send: SendRequest
  readonly clock: Clock
  readonly logger: Logger
}

/** How long a reading, or a failure, is good for all who ask. */
const freshMs = 5_000
/** How long an old reading may stand in for one that takes long. */
const usableMs = 60_000
/** How long requests wait for a reading: they must not use up the places of requests for this server's own alerts. */
const waitMs = 2_000
const timeoutMs = 10_000
const maxAnswerBytes = 16 * 1024 * 1024

/** Creates what has read nothing yet. However many requests come, one at a time goes to a server. */
export function createOtherServers(options: OtherServersOptions): OtherServers {
  const readers = new Map(
    options.servers.map((server) => [server.name, createReader(server, options)]),
  )
  return { servers: options.servers, read: async (name) => readers.get(name)?.() }
}

/** Requests do not wait any longer; the reading goes on. */
const notYet: OtherReading = { failure: 'it has not answered yet' }
/** The reading was given up. */
const tooLate: OtherReading = { failure: 'it takes too long' }

interface Timed {
  readonly reading: OtherReading
  /** By the monotonic clock. */
  readonly at: number
}

function createReader(
  server: OtherServer,
  { send, clock, logger }: OtherServersOptions,
): () => Promise<OtherReading> {
  const connection = connectionTo(server)
  let last: Timed | undefined
  let lastGood: Timed | undefined
  let running: { readonly reading: Promise<OtherReading>; readonly startedAt: number } | undefined

  const readOnce = async (): Promise<OtherReading> => {
    const reading = await readServer(server, connection, { send, clock })
    const wasFailing = last !== undefined && 'failure' in last.reading
    const about = { server: server.name }
    last = { reading, at: clock.monotonic() }
    if (!('failure' in reading)) {
      if (wasFailing) logger.info(about, 'another server is read again')
      lastGood = last
    } else if (!wasFailing) {
      logger.warn({ ...about, ...reading }, 'another server cannot be read')
    }
    running = undefined
    return reading
  }

  /** A reading of the last minute in place of one that takes too long. */
  const insteadOf = (reading: OtherReading): OtherReading => {
    if (reading !== notYet && reading !== tooLate) return reading
    if (lastGood === undefined || clock.monotonic() - lastGood.at >= usableMs) return reading
    return lastGood.reading
  }

  return async () => {
    const now = clock.monotonic()
    if (last !== undefined && now - last.at < freshMs) return insteadOf(last.reading)
    running ??= { reading: readOnce(), startedAt: now }
    const leftMs = running.startedAt + waitMs - now
    const reading = leftMs > 0 ? await within(running.reading, leftMs, clock) : undefined
    return insteadOf(reading ?? notYet)
  }
}

/** The value, or `undefined` if it takes longer. */
async function within<T>(value: Promise<T>, ms: number, clock: Clock): Promise<T | undefined> {
  let cancel = (): void => {}
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.setTimer(ms, () => resolve(undefined))
  })
  try {
    return await Promise.race([value, late])
  } finally {
    cancel()
  }
}

async function readServer(
  { url }: OtherServer,
  connection: ReturnType<typeof connectionTo>,
  { send, clock }: Pick<OtherServersOptions, 'send' | 'clock'>,
): Promise<OtherReading> {
  const deadline = new AbortController()
  const cancel = clock.setTimer(timeoutMs, () => deadline.abort())
  try {
    const request = {
      method: 'GET',
      url: `${url}/api/v2/alerts/groups`,
      headers: { accept: 'application/json' },
      maxAnswerBytes,
    } as const
    const { status, body } = await send(request, connection, deadline.signal)
    if (deadline.signal.aborted) return tooLate
    if (status !== 200) return { failure: `it answered ${status}` }
    if (Buffer.byteLength(body) >= maxAnswerBytes) return { failure: 'its answer is too long' }
    return { groups: await readGroups(body), readAt: clock.now() }
  } catch (error) {
    if (deadline.signal.aborted) return tooLate
    if (error instanceof SyntaxError || error instanceof Refusal)
      return { failure: 'its answer is not a list of alert groups' }
    // Its message has neither the URL nor a secret.
    return { failure: isGatehouseError(error) ? error.message : 'it cannot be reached' }
  } finally {
    cancel()
  }
}
