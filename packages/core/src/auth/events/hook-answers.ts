import { isGatehouseError } from '../../errors.ts'
import { accountWith, isUserUnknown, userIdOf } from '../flow/account.ts'
import type { Answers } from '../flow/asking.ts'
import { accountOnce } from '../flow/flow-answers.ts'
import { demandNotes, demandsOf } from '../flow/hooks/hook-demands.ts'
import type { FlowKinds } from '../flow/kinds.ts'
import type { BaseQuestions } from '../flow/questions.ts'
import type { FlowRun } from '../flow/run.ts'
import type { FlowSnapshot } from '../flow/state.ts'
import { authenticationContext } from './authentication-context.ts'
import type { AuthenticationContext } from './hook.ts'
import { hookInvalidResponse } from './hook-errors.ts'
import { askHook, type HookPorts } from './hooks.ts'
import { type EventPorts, emitEvent, hookEvent } from './outbox.ts'

interface HookAnswerPorts extends HookPorts, EventPorts {
  readonly kinds: FlowKinds
}

/** Answers the questions of rules to the host's hook, and emits their events. */
export function hookAnswers(
  run: FlowRun<HookAnswerPorts>,
): Answers<Pick<BaseQuestions, 'hook' | 'event'>> {
  return {
    event: ({ type, payload }) => emitEvent(run, type, payload),
    async hook({ type, state }) {
      const { facts } = state
      const known = isUserUnknown(facts) ? undefined : userIdOf(facts)
      const payload = await payloadOf(run, state)
      const event = hookEvent(run, { type, payload }, known ?? null)
      const answer = await askHook(run, event).catch(async (error: unknown) => {
        if (isGatehouseError(error) && error.reason === 'HookDisallowed') {
          await emitEvent(run, 'authentication.blocked', { user_id: known, ...error.info })
        }
        throw error
      })
      checkDemand(run, type, answer.bot_protection?.mode)
      const notes = demandNotes(state, answer)
      // The hook may have changed the accounts.
      run.accounts.clear()
      run.weights = demandsOf({ notes }).weights
      return notes
    },
  }
}

async function payloadOf(
  run: FlowRun<HookAnswerPorts>,
  state: FlowSnapshot,
): Promise<{ readonly authentication_context: AuthenticationContext }> {
  const { auth, now } = run
  const { facts } = state
  const userId = userIdOf(facts)
  const isMade = facts.some(({ kind }) => kind === 'user_created')
  const stored = userId === undefined || isMade ? undefined : await accountOnce(run, userId)
  const account = accountWith(stored, facts, { now, config: auth.config.current })
  return { authentication_context: authenticationContext(state, account, auth.kinds) }
}

/** Fails if a hook demands bot protection that is not enabled, so that the host does not rely on it. */
function checkDemand(
  { auth }: FlowRun<HookPorts>,
  event: string,
  mode: 'never' | 'always' | undefined,
): void {
  if (mode !== 'always' || auth.config.current.bot_protection.enabled) return
  auth.logger.error({ event }, 'a hook demands bot protection, which is not enabled')
  throw hookInvalidResponse()
}
