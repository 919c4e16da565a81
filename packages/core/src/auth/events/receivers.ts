import { withinTime } from '../../async/within-time.ts'
import { sha256Hex } from '../../crypto/crypto.ts'
import type { Clock } from '../../time/clock.ts'
import type { WithConfig } from '../config/config.ts'
import { eventUrls } from '../config/hook-handlers.ts'
import type { AuthorizationBridge, EndedSessions } from '../flow/session/authorization-bridge.ts'
import type { AuthEvent } from './auth-event.ts'
import type { PostEvent } from './post-event.ts'

/** A receiver of an event. */
export interface EventReceiver {
  /** Names it in the storage; the same in all processes. */
  readonly key: string
  /** Rejects if the event must be sent again. */
  send(event: AuthEvent): Promise<void>
}

/** The part of the service that mails people about changes. */
export interface NoticeReceiver {
  /** Whether there is a mail about events of a type. */
  wants(type: string): boolean
  /** Rejects if the event must be sent again. */
  send(event: AuthEvent): Promise<void>
}

/** What receives events: the program, the mails to people, the webhooks of the configuration, and the authorization server. */
export interface ReceiverPorts extends WithConfig {
  readonly onEvent: ((event: AuthEvent) => void | Promise<void>) | undefined
  readonly postEvent: PostEvent | undefined
  /** `undefined` if no mail can be sent. */
  readonly notices: NoticeReceiver | undefined
  readonly bridge: { readonly current: AuthorizationBridge | undefined }
  readonly clock: Clock
}

const timeoutMs = 10_000

/** Whether there are any receivers. */
export const hasReceivers = ({
  onEvent,
  postEvent,
  notices,
  bridge,
  config,
}: ReceiverPorts): boolean =>
  onEvent !== undefined ||
  notices !== undefined ||
  bridge.current?.sessionsEnded !== undefined ||
  (postEvent !== undefined && config.current.hook.non_blocking_handlers.length > 0)

/** Whether events of a type have a receiver: the program, a mail, or a webhook of the configuration. */
export const hasReceiver = (
  { onEvent, postEvent, notices, config }: ReceiverPorts,
  type: string,
): boolean =>
  onEvent !== undefined ||
  notices?.wants(type) === true ||
  (postEvent !== undefined && eventUrls(config.current.hook, type).length > 0)

/** The receivers of events of a type, and of the sessions that ended with one. */
export function receiversOf(
  auth: ReceiverPorts,
  type: string,
  ended: EndedSessions | undefined,
): readonly EventReceiver[] {
  const { onEvent, postEvent, notices, config, clock } = auth
  const bridge = auth.bridge.current
  const receivers: EventReceiver[] = []
  if (onEvent !== undefined)
    receivers.push({ key: 'onEvent', send: async (event) => onEvent(event) })
  if (notices?.wants(type)) {
    receivers.push({ key: 'notices', send: (event) => notices.send(event) })
  }
  if (ended !== undefined && bridge?.sessionsEnded !== undefined) {
    receivers.push({ key: 'sessions', send: async () => bridge.sessionsEnded?.(ended) })
  }
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
