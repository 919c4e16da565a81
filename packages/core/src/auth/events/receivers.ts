import { sha256Hex } from '../../crypto/crypto.ts'
import { eventUrls } from '../config/hook-handlers.ts'
import type { AuthContext } from '../context.ts'
import type { AuthEvent } from './auth-event.ts'
import { withinTime } from './within-time.ts'

/** A receiver of an event. */
export interface EventReceiver {
  /** Names it in the storage; the same in all processes. */
  readonly key: string
  /** Rejects if the event must be sent again. */
  send(event: AuthEvent): Promise<void>
}

const timeoutMs = 10_000

/** Whether there are any receivers. */
export const hasReceivers = ({ onEvent, postEvent, config }: AuthContext): boolean =>
  onEvent !== undefined ||
  (postEvent !== undefined && config.current.hook.non_blocking_handlers.length > 0)

/** Whether events of a type have a receiver: the program, or a webhook of the configuration. */
export const hasReceiver = ({ onEvent, postEvent, config }: AuthContext, type: string): boolean =>
  onEvent !== undefined ||
  (postEvent !== undefined && eventUrls(config.current.hook, type).length > 0)

/** The receivers of events of a type. */
export function receiversOf(auth: AuthContext, type: string): readonly EventReceiver[] {
  const { onEvent, postEvent, config, clock } = auth
  const receivers: EventReceiver[] = []
  if (onEvent !== undefined)
    receivers.push({ key: 'onEvent', send: async (event) => onEvent(event) })
  if (postEvent === undefined) return receivers
  for (const url of new Set(eventUrls(config.current.hook, type))) {
    receivers.push({
      // A URL may contain a secret.
      key: sha256Hex(url).slice(0, 16),
      send: (event) =>
        withinTime(clock, {
          ms: timeoutMs,
          work: async (signal) => void (await postEvent(url, event, signal)),
          tooLate: () => new Error(`there was no answer in ${timeoutMs} ms`),
        }),
    })
  }
  return receivers
}
