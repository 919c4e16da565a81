import { type Caller, nameOf } from '../../authorization/authorize.ts'
import type { AlertsContext } from '../context.ts'
import type { StoredSilence } from '../silence/silence.ts'

/**
 * Checks that a caller may write a silence: a new one, whose id is `undefined`, or a stored one, which belongs to the subject that
 * `createdBy` names.
 *
 * @param caller `undefined` for the program itself, which may do everything.
 * @throws {GatehouseError} `NotAuthenticated`; `NotAllowed`
 */
export async function checkSilenceAccess(
  { access }: Pick<AlertsContext, 'access'>,
  caller: Caller | undefined,
  { id, value }: { readonly id: string | undefined; readonly value: StoredSilence },
): Promise<void> {
  if (access === undefined || caller === undefined) return
  const { matchers, createdBy } = value
  const isOwn = id === undefined || createdBy === nameOf(caller)
  const action = isOwn ? 'silences:write' : 'silences:write-others'
  await access.check(caller, action, { kind: 'silence', id, matchers, createdBy })
}
