import type { Ids } from '../../crypto/ids.ts'
import type { Clock } from '../../time/clock.ts'
import type { SendRequest } from '../http-client/send-request.ts'
import type { Notification } from '../notification/notification.ts'
import type { Sigv4Config } from './sns/config.ts'

/** What kind of failure it was. @see Alertmanager, label `reason` of its failure metric */
export type FailureReason =
  | 'clientError'
  | 'authError'
  | 'rateLimited'
  | 'serverError'
  | 'contextCanceled'
  | 'contextDeadlineExceeded'
  | 'other'

/** What came of one attempt to notify. Failing is an expected outcome, not an exception. */
export type NotifyResult =
  | {
      readonly outcome: 'sent'
      /** Told again with the next notification about the group, in place of what was kept before (default: that stays). */
      readonly keep?: Readonly<Record<string, string>>
    }
  | {
      /** Whether another attempt may succeed. */
      readonly outcome: 'retry' | 'failed'
      readonly reason: FailureReason
      /** What went wrong, without a secret or a secret URL. */
      readonly detail: string
      /** How long the other side asks to be left alone, in ms. */
      readonly retryAfterMs?: number
      /**
       * Whether the other side may have taken the notification although it did not say so, as where no answer came in time.
       * Then it is told the state of the group until it confirms it, also that all is resolved (default `false`).
       */
      readonly mayHaveArrived?: boolean
    }

/** Tells one integration of a receiver about alert groups. */
export interface Notifier {
  /** The type of the integration, as `webhook`: for logs and metrics. */
  readonly name: string
  /**
   * Makes one attempt. A rejection is a final failure: a template that cannot be rendered, a file that cannot be read.
   *
   * @param signal ends the attempt, which then answers `retry`.
   */
  notify(notification: Notification, signal: AbortSignal): Promise<NotifyResult>
}

/** What requests to AWS are signed with. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of credentials that are valid for a while only. */
  readonly sessionToken?: string
  /** Used where the configuration names none. */
  readonly region?: string
}

/** What notifiers need of the world. */
export interface NotifierPorts {
  readonly send: SendRequest
  /** The content of a file with a secret, read anew for each notification. */
  readonly readFile: (path: string) => Promise<string>
  readonly clock: Clock
  /** Where the ids of mails come from (default: the machine's randomness). */
  readonly ids?: Ids
  /** The name of this machine, which mails tell (default `localhost.localdomain`). */
  readonly hostname?: string
  /**
   * Finds credentials for AWS where the configuration holds none, names a profile, or names a role to be assumed; asked
   * for each notification. Without it, only an access key in the configuration can be used.
   *
   * @throws {Error} if there are none; the message holds no secret. The notification is tried again.
   */
  readonly awsCredentials?: (config: Sigv4Config) => Promise<AwsCredentials>
}
