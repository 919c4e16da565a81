import { errorText, isGatehouseError } from '../../errors.ts'
import { decodeInput, exactly, filledText, functionLike, optional } from '../../input/decode.ts'
import type { Notification } from '../notification/notification.ts'
import { abortReason } from './attempt/abort-reason.ts'
import type { Notifier, NotifyResult } from './notifier.ts'

/**
 * Sends a notification in the application. Returns nothing once it is sent, or a {@link NotifyResult}.
 *
 * If it throws, the notification is tried again, as after status 500 from a webhook: soon, then less often, until the next
 * notification of the group is due. So a notification may arrive more than once, and `resolved` may arrive for an alert whose
 * `firing` never did. Return `{ outcome: 'failed', … }` if no attempt can succeed. A template that cannot be rendered is not tried again.
 *
 * Error messages are logged, so they must not contain secrets.
 *
 * @param signal is aborted when the attempt is over. A result after that is ignored: the attempt has failed.
 */
export type NotifyFunction = (
  notification: Notification,
  signal: AbortSignal,
) => Promise<NotifyResult | Nothing>

/** The result of a function that returns nothing. */
type Nothing = Awaited<Promise<void>>

/** Options of {@link createFunctionNotifier}. */
export interface FunctionNotifierOptions {
  /** Its name in logs and metrics (default `function`). */
  name?: string
}

const decodeOptions = exactly<FunctionNotifierOptions>({ name: optional(filledText) })

/**
 * Makes a notifier of a function.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const print = createFunctionNotifier(async ({ alerts }) => console.log(alerts.length))
 * createAlerts({ storage, config, notifiers: { team: [print] } })
 */
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

/** The result of an attempt once its signal is aborted. */
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

/** A program without types may return anything. Only nothing or a valid result counts. */
function toResult(answer: unknown): NotifyResult {
  if (answer === undefined || answer === null) return { outcome: 'sent' }
  if (isResult(answer)) return answer
  const detail = `the function returned a value that is not a NotifyResult: ${typeof answer}`
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

const messageOf = (error: unknown): string => errorText(error).slice(0, 1_024)
