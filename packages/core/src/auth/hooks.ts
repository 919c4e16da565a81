import type { AuthContext } from './context.ts'
import { authError } from './errors.ts'
import type { AuthEvent, HookAnswer } from './ports.ts'

/**
 * Asks the host whether something may happen.
 *
 * @throws {GatehouseError} `HookDisallowed`; `HookDeliveryTimeout`, `HookDeliveryUnknownFailure`, `HookInvalidResponse`
 */
export async function askHook(auth: AuthContext, event: AuthEvent): Promise<void> {
  if (auth.hook === undefined) return
  const answer = await answerInTime(auth, auth.hook, event)
  if (typeof answer !== 'object' || answer === null || typeof answer.is_allowed !== 'boolean') {
    throw authError('InternalError', 'HookInvalidResponse', 'a hook did not answer is_allowed')
  }
  if (answer.is_allowed) return
  const { title, reason } = answer
  throw authError('Forbidden', 'HookDisallowed', 'disallowed by hook event handler', {
    event_type: event.type,
    reasons: [
      { ...(title === undefined ? {} : { title }), ...(reason === undefined ? {} : { reason }) },
    ],
  })
}

async function answerInTime(
  auth: AuthContext,
  hook: NonNullable<AuthContext['hook']>,
  event: AuthEvent,
): Promise<HookAnswer> {
  let cancel = (): void => {}
  const tooLate = new Promise<never>((_, reject) => {
    cancel = auth.clock.setTimer(auth.config.current.hook.sync_hook_timeout_ms, () => {
      reject(authError('InternalError', 'HookDeliveryTimeout', 'a hook took too long'))
    })
  })
  // One that throws before it promises anything has failed like any other.
  const called = (async () => hook(event))()
  const answered = called.catch((error: unknown) => {
    auth.logger.error({ error: String(error), event: event.type }, 'a hook failed')
    throw authError('InternalError', 'HookDeliveryUnknownFailure', 'a hook failed')
  })
  try {
    return await Promise.race([answered, tooLate])
  } finally {
    cancel()
  }
}
