import { type Running, stopAll, stoppedOnce } from '../../async/running.ts'
import { decodeInput, exactly, flag, optional, partOf } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { inTransaction } from '../errors.ts'
import {
  startUserMaintenance,
  type UserMaintenanceOptions,
  userMaintenanceOptions,
} from '../people/start-user-maintenance.ts'
import { closeAuth } from './close-auth.ts'
import { startEvents } from './start-events.ts'

/** Options of {@link startAuth}: `false` leaves a part out. */
export interface StartAuthOptions {
  /** Delivers events and writes the audit log: {@link startEvents} (default `true`). */
  readonly events?: boolean
  /** Deletes and anonymizes users who are due: {@link startUserMaintenance}, with its options (default `true`). */
  readonly maintenance?: boolean | UserMaintenanceOptions
}

const decodeOptions = exactly<StartAuthOptions>({
  events: optional(flag),
  maintenance: optional(partOf(userMaintenanceOptions)),
})

/**
 * Starts everything of the service that runs on its own: the delivery of events, the audit log, and the deletion of users who are
 * due. Start it in every process that serves requests.
 *
 * `stop()` ends the connections that wait for links, so that a server can close, and waits for messages and events that are being
 * sent.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const running = startAuth(auth)
 * process.once('SIGTERM', () => running.stop())
 */
export function startAuth(auth: AuthContext, options: StartAuthOptions = {}): Running {
  if (auth.transaction !== undefined) throw inTransaction('startAuth()')
  const { events = true, maintenance = true } = decodeInput('options', decodeOptions, options)
  const parts = [
    ...(events ? [startEvents(auth)] : []),
    ...(maintenance === false
      ? []
      : [startUserMaintenance(auth, maintenance === true ? undefined : maintenance)]),
  ]
  return stoppedOnce(async () => {
    await closeAuth(auth)
    await stopAll(...parts)
  })
}
