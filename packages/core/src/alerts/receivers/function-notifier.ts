import { isGatehouseError } from '../../errors.ts'
import { decodeInput, exactly, filledText, functionLike, optional } from '../../input/decode.ts'
import type { Notification } from '../notification/notification.ts'
import { abortReason } from './attempt/abort-reason.ts'
import type { Notifier, NotifyResult } from './notifier.ts'

/**
 * What an application does with a notification. It answers nothing once the notification is sent, or a
 * {@link NotifyResult}, which may say more.
 *
 * What it throws is worth another attempt, as an answer of status 500 is of a webhook: soon, then less often, until the
 * group's next notification is due. One notification may therefore arrive more than once, and `resolved` for an alert of which
 * no attempt succeeded. A function that knows that no attempt can succeed answers `{ outcome: 'failed', … }`. A template that cannot be rendered is final by itself.
 *
 * The message of what it throws is logged: it should hold no secret.
 *
 * @param signal is aborted when the attempt is over. Whatever happens then, the attempt has failed.
 */
export type NotifyFunction = (
  notification: Notification,
  signal: AbortSignal,
) => Promise<NotifyResult | Nothing>

/** What a function answers that ends without saying anything. */
type Nothing = Awaited<Promise<void>>

/** Options of {@link createFunctionNotifier}. */
export interface FunctionNotifierOptions {
  /** What logs and metrics call it (default `function`). */
  name?: string
}

const decodeOptions = exactly<FunctionNotifierOptions>({ name: optional(filledText) })

/** A notifier that is a function of the application. @throws {GatehouseError} `InvalidInput` */
export function createFunctionNotifier(
  notifyBy: NotifyFunction,
  options: FunctionNotifierOptions = {},
): Notifier {
  const notify = decodeInput('notify', functionLike<NotifyFunction>('a function'), notifyBy)
  const { name = 'function' } = decodeInput('options', decodeOptions, options)
  return {
    name,
    async notify(notification, signal) {
      const ended = whenAborted(signal)
      try {
        const call = async (): Promise<unknown> => notify(notification, signal)
        return toResult(await Promise.race([call(), ended.promise]))
      } catch (error) {
        if (isTemplateError(error)) throw error
        const detail = messageOf(error)
        return { outcome: 'retry', reason: 'other', detail, mayHaveArrived: true }
      } finally {
        ended.forget()
      }
    },
  }
}

/** What an attempt comes to once its signal is aborted. */
function whenAborted(signal: AbortSignal): {
  readonly promise: Promise<NotifyResult>
  forget(): void
} {
  let end = (): void => undefined
  const promise = new Promise<NotifyResult>((resolve) => {
    end = () => {
      const reason = abortReason(signal)
      const detail = 'the function did not end in time'
      resolve({ outcome: 'retry', reason, detail, mayHaveArrived: true })
    }
  })
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  return { promise, forget: () => signal.removeEventListener('abort', end) }
}

/** Programs without types may answer anything. What is no result must not pass for a notification that was sent. */
function toResult(answer: unknown): NotifyResult {
  if (answer === undefined || answer === null) return { outcome: 'sent' }
  if (isResult(answer)) return answer
  const detail = `the function answered a value that is no result: ${typeof answer}`
  return { outcome: 'failed', reason: 'other', detail }
}

function isResult(answer: unknown): answer is NotifyResult {
  if (typeof answer !== 'object' || answer === null || !('outcome' in answer)) return false
  const { outcome } = answer
  if (outcome === 'sent') return true
  const isComplete =
    'reason' in answer &&
    typeof answer.reason === 'string' &&
    'detail' in answer &&
    typeof answer.detail === 'string'
  return (outcome === 'retry' || outcome === 'failed') && isComplete
}

const isTemplateError = (error: unknown): boolean =>
  isGatehouseError(error) && error.reason.startsWith('Template')

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).slice(0, 1_024)
