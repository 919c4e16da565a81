import { isUserUnknown, userIdOf } from './account.ts'
import { isFinished } from './engine.ts'
import type { FlowRun } from './flow-run.ts'
import type { FlowSnapshot } from './flow-state.ts'
import { askHook } from './hooks.ts'
import { flowEvent } from './outbox.ts'

/**
 * Asks the host at the points that a flow has come past: when it began, when it was known whom it is about, and when only the
 * storing is left. Flows that open no session are not asked about.
 *
 * @param before the state the input went to; `undefined` for a flow that begins.
 * @throws {GatehouseError} `HookDisallowed`, and whatever a hook that fails comes to; nothing has changed then.
 * @see Authgear, blocking events `authentication.*`
 */
export async function askAtPoints(
  run: FlowRun,
  before: FlowSnapshot | undefined,
  after: FlowSnapshot,
): Promise<void> {
  const { auth } = run
  if (auth.hook === undefined || after.type === 'account_recovery') return
  const userId = knownUser(after)
  const points: string[] = []
  if (before === undefined) points.push('authentication.pre_initialize')
  if (userId !== null && (before === undefined || knownUser(before) === null)) {
    points.push('authentication.post_identified')
  }
  if (before !== undefined && isFinished(after)) points.push('authentication.pre_authenticated')
  const flow = { type: after.type, name: after.name }
  const payload = userId === null ? { flow } : { flow, user: { id: userId } }
  for (const type of points) await askHook(auth, flowEvent(run, type, payload, userId))
}

/** Whom a flow is about, as far as there is somebody. */
function knownUser({ facts }: FlowSnapshot): string | null {
  return isUserUnknown(facts) ? null : (userIdOf(facts) ?? null)
}
