import { letOthersRun } from '../../async/end-of-turn.ts'
import { type Running, repeat } from '../../async/running.ts'
import { isGatehouseError } from '../../errors.ts'
import { type Decode, decodeInput, exactly, numberFrom, optional } from '../../input/decode.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { inTransaction } from '../errors.ts'
import { makeAnonymous } from './anonymize-user.ts'
import { removeUser } from './delete-user.ts'

/** Options of {@link startUserMaintenance}. */
export interface UserMaintenanceOptions {
  /** How often it looks for users who are due, in ms (default 60,000). */
  readonly intervalMs?: number
}

/** The options, given from code. */
export const userMaintenanceOptions: Decode<UserMaintenanceOptions> =
  exactly<UserMaintenanceOptions>({ intervalMs: optional(numberFrom(1)) })

const batchSize = 100

type Due = 'delete_at' | 'anonymize_at'

/**
 * Deletes and anonymizes users whose `delete_at` or `anonymize_at` has come, now and at each interval until it is stopped.
 * Several processes may do so at once. A failure is logged, and tried again at the next interval.
 *
 * @throws {GatehouseError} `InvalidInput`
 */
export function startUserMaintenance(
  auth: AuthContext,
  options: UserMaintenanceOptions = {},
): Running {
  if (auth.transaction !== undefined) throw inTransaction('startUserMaintenance()')
  const { intervalMs = 60_000 } = decodeInput('options', userMaintenanceOptions, options)
  const { clock, logger } = auth
  return repeat({ clock, intervalMs }, async (isStopped) => {
    try {
      const ended = await endAll(auth, isStopped)
      if (ended.deleted + ended.anonymized > 0)
        logger.info(ended, 'scheduled user deletions finished')
    } catch (error) {
      logger.error({ error: String(error) }, 'scheduled user deletions failed')
    }
  })
}

/** The users that {@link endDueUsers} has ended. */
export interface EndedUsers {
  readonly deleted: number
  readonly anonymized: number
}

/**
 * Deletes and anonymizes the users whose `delete_at` or `anonymize_at` has come, once. For programs that run such work by a
 * schedule of their own; {@link startUserMaintenance} does it by itself.
 */
export async function endDueUsers(auth: AuthContext): Promise<EndedUsers> {
  return endAll(auth, () => false)
}

async function endAll(auth: AuthContext, isStopped: () => boolean): Promise<EndedUsers> {
  const deleted = await endUsers(auth, 'delete_at', isStopped)
  return { deleted, anonymized: await endUsers(auth, 'anonymize_at', isStopped) }
}

async function endUsers(auth: AuthContext, by: Due, isStopped: () => boolean): Promise<number> {
  // The bound is exclusive.
  const to = auth.clock.now() + 1
  let ended = 0
  let last: TypedRecord<UserRecord> | undefined
  do {
    const after = last && { key: last.value[by] ?? 0, id: last.id }
    const query = { by, to, limit: batchSize, ...(after === undefined ? {} : { after }) }
    const found = await userCollection.find(auth.storage, query)
    for (const { id } of found) {
      if (isStopped()) return ended
      if (await endOne(auth, by, id)) ended++
      await letOthersRun()
    }
    last = found.length < batchSize ? undefined : found.at(-1)
  } while (last !== undefined)
  return ended
}

async function endOne(auth: AuthContext, by: Due, userId: string): Promise<boolean> {
  const isDue = ({ [by]: at }: UserRecord): boolean => at !== null && at <= auth.clock.now()
  try {
    const end = by === 'delete_at' ? removeUser : makeAnonymous
    await end(auth, userId, { triggeredBy: 'system', isDue })
    return true
  } catch (error) {
    // Another process was faster.
    if (isGatehouseError(error) && error.reason === 'UserNotFound') return false
    auth.logger.error(
      { user_id: userId, due: by, error: String(error) },
      'a user could not be ended',
    )
    return false
  }
}
