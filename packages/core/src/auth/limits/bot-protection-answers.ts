import { withinTime } from '../../async/within-time.ts'
import { GatehouseError, isGatehouseError } from '../../errors.ts'
import { authError } from '../errors.ts'
import { type EventPorts, emitEvent } from '../events/outbox.ts'
import type { Answers } from '../flow/asking.ts'
import type { FlowRun } from '../flow/run.ts'
import type { FlowMemory } from '../flow/view.ts'
import { flowMemoryCollection } from '../flow-states/flow-record.ts'
import { flowExpiry } from '../flow-states/store.ts'
import type { BotVerifier } from './bot-verifier.ts'
import type { LimitQuestions } from './limit-questions.ts'

/** A slower provider counts as unavailable. */
const maxMs = 10_000

/** The memory shared by all states of a flow; read only if the configuration has bot protection. */
export async function loadMemory({
  auth,
  session,
}: FlowRun<Pick<EventPorts, 'storage' | 'config'>>): Promise<FlowMemory> {
  if (!auth.config.current.bot_protection.enabled) return { is_bot_protection_passed: false }
  const record = await flowMemoryCollection.get(auth.storage, session.flow_id)
  return { is_bot_protection_passed: record?.value.is_bot_protection_passed === true }
}

interface BotProtectionPorts extends EventPorts {
  readonly botVerifier: BotVerifier | undefined
}

/** Answers the questions of rules about bot protection. */
export function botProtectionAnswers(
  run: FlowRun<BotProtectionPorts>,
): Answers<Pick<LimitQuestions, 'verify_bot_protection'>> {
  const { auth, session } = run
  return {
    async verify_bot_protection({ response }) {
      if ((await verify(run, response)) === 'failed') {
        const { provider } = auth.config.current.bot_protection
        const about = { provider: { type: provider?.type } }
        await emitEvent(run, 'bot_protection.verification.failed', about)
        throw authError(
          'Forbidden',
          'BotProtectionVerificationFailed',
          'bot protection verification failed',
        )
      }
      // Stored even if the input fails later, because the provider accepts each response only once.
      const memory = { is_bot_protection_passed: true }
      const expiresAt = flowExpiry(auth, session)
      await auth.storage.commit([
        flowMemoryCollection.write(session.flow_id, memory, { expiresAt }),
      ])
    },
  }
}

async function verify(
  { auth, request }: FlowRun<BotProtectionPorts>,
  response: string,
): Promise<'passed' | 'failed'> {
  const { botVerifier, clock } = auth
  if (botVerifier === undefined) throw new TypeError('there is no botVerifier')
  try {
    const outcome = await withinTime(clock, {
      ms: maxMs,
      work: () => botVerifier.verify({ response, ip: request.ip }),
      tooLate: () => new Error('the verifier did not answer in time'),
    })
    if (outcome === 'passed' || outcome === 'failed') return outcome
    throw new TypeError(`a botVerifier must return "passed" or "failed"`)
  } catch (error) {
    throw unavailable(error)
  }
}

/** The verification is unavailable, so the flow cannot go on. */
function unavailable(cause: unknown): GatehouseError {
  const reason = 'BotProtectionVerificationServiceUnavailable'
  if (isGatehouseError(cause) && cause.reason === reason) return cause
  const message = 'bot protection service unavailable'
  return new GatehouseError('ServiceUnavailable', reason, message, { cause })
}
