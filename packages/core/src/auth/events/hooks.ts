import { withinTime } from '../../async/within-time.ts'
import { errorText, isGatehouseError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { Clock } from '../../time/clock.ts'
import type { WithConfig } from '../config/config.ts'
import { blockingUrls } from '../config/hook-handlers.ts'
import type { HookAnswer } from '../flow/hooks/host-hook.ts'
import type { FlowRun } from '../flow/run.ts'
import type { Hook, HookEvent } from './hook.ts'
import { readHookAnswer } from './hook-answer.ts'
import {
  hookDeliveryTimeout,
  hookDeliveryUnknownFailure,
  hookDisallowed,
  hookInvalidResponse,
} from './hook-errors.ts'
import { mergeHookAnswers, withMutations } from './merge-hook-answers.ts'
import { hookAt, type PostEvent } from './post-event.ts'

/** What asks the host. */
export interface HookPorts extends WithConfig {
  readonly hook: Hook | undefined
  readonly postEvent: PostEvent | undefined
  readonly clock: Clock
  readonly logger: Logger
}

type HookRun = Pick<FlowRun<HookPorts>, 'auth' | 'hook_time'>

/** The errors with which a hook that calls another program may report a failed delivery. */
const ofDelivery: ReadonlySet<string> = new Set([
  'HookDeliveryTimeout',
  'HookDeliveryUnknownFailure',
  'HookInvalidResponse',
])

/**
 * Asks the host's hook, and then the webhooks of the configuration, whether something may happen. Returns their further demands.
 * The first refusal ends it.
 *
 * @throws {GatehouseError} `HookDisallowed`; `HookDeliveryTimeout`, `HookDeliveryUnknownFailure`, `HookInvalidResponse`
 */
export async function askHook(run: HookRun, event: HookEvent): Promise<HookAnswer> {
  let answer: HookAnswer = { is_allowed: true }
  let shown = event
  for (const hook of hooksFor(run.auth, event.type)) {
    const next = await askOne(run, hook, shown)
    answer = mergeHookAnswers(answer, next)
    shown = withMutations(shown, next)
  }
  return answer
}

/** The program's hook, then the webhooks of the configuration for this event. */
export function hooksFor(
  { hook, config, postEvent }: Pick<HookPorts, 'hook' | 'config' | 'postEvent'>,
  type: string,
): readonly Hook[] {
  const urls = postEvent === undefined ? [] : blockingUrls(config.current.hook, type)
  return [
    ...(hook === undefined ? [] : [hook]),
    ...(postEvent === undefined ? [] : urls.map((url) => hookAt(postEvent, url))),
  ]
}

async function askOne(run: HookRun, hook: Hook, event: HookEvent): Promise<HookAnswer> {
  const { logger } = run.auth
  const read = readHookAnswer(await answerInTime(run, hook, event))
  if ('problems' in read) {
    logger.error({ event: event.type, problems: read.problems }, 'a hook gave an invalid answer')
    throw hookInvalidResponse()
  }
  if (!read.answer.is_allowed) throw hookDisallowed(event.type, read.answer)
  return read.answer
}

/** Limits the time of each call, and of all calls of a request together. */
async function answerInTime(
  { auth, hook_time: time }: HookRun,
  hook: Hook,
  event: HookEvent,
): Promise<unknown> {
  const { clock, config, logger } = auth
  const { sync_hook_timeout_ms: one, sync_hook_total_timeout_ms: all } = config.current.hook
  const ms = Math.min(one, all - time.spentMs)
  const tooLate = (): Error => {
    logger.error({ event: event.type, ms: Math.max(0, ms) }, 'a hook took too long')
    return hookDeliveryTimeout()
  }
  if (ms <= 0) throw tooLate()
  const startedAt = clock.now()
  try {
    return await withinTime(clock, {
      ms,
      work: (signal) => call(auth, () => hook(event, { signal }), event),
      tooLate,
    })
  } finally {
    time.spentMs += clock.now() - startedAt
  }
}

async function call(
  { logger }: HookRun['auth'],
  hook: () => Promise<unknown>,
  { type }: HookEvent,
): Promise<unknown> {
  try {
    return await hook()
  } catch (error) {
    const isKnown = isGatehouseError(error) && ofDelivery.has(error.reason)
    const logged = isKnown ? (error.cause ?? error) : error
    logger.error({ error: errorText(logged), event: type }, 'a hook failed')
    throw isKnown ? error : hookDeliveryUnknownFailure()
  }
}
