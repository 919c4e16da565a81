import type { Ids } from '../../crypto/ids.ts'
import type { SendRequest } from '../../http-client/send-request.ts'
import type { Clock } from '../../time/clock.ts'
import type { Notification } from '../notification/notification.ts'
import type { Sigv4Config } from './sns/config.ts'

/** The kind of a failure. @see Alertmanager, label `reason` of its failure metric */
export type FailureReason =
  | 'clientError'
  | 'authError'
  | 'rateLimited'
  | 'serverError'
  | 'contextCanceled'
  | 'contextDeadlineExceeded'
  | 'other'

/** The result of one attempt to notify. A failure is an expected result, not an exception. */
export type NotifyResult =
  | {
      readonly outcome: 'sent'
      /** Passed to the next notification about the group as `kept`. Replaces what was kept before (default: no change). */
      readonly keep?: Readonly<Record<string, string>>
    }
  | {
      /** Whether a retry may succeed. */
      readonly outcome: 'retry' | 'failed'
      readonly reason: FailureReason
      /** The error, without a secret or a secret URL. */
      readonly detail: string
      /** The least time before the next attempt, from the server's `Retry-After`, in ms. */
      readonly retryAfterMs?: number
      /**
       * Whether the notification may have arrived without a confirmation, such as after a timeout. Then the state of the group is
       * sent until it is confirmed, even if all alerts are resolved (default `false`).
       */
      readonly mayHaveArrived?: boolean
    }

/** Sends notifications to one integration of a receiver. */
export interface Notifier {
  /** The type of the integration, such as `webhook`: for logs and metrics. */
  readonly name: string
  /**
   * Makes one attempt. A rejection is a final failure: a template that cannot be rendered, a file that cannot be read.
   *
   * @param signal aborts the attempt, which then returns `retry`.
   */
  notify(notification: Notification, signal: AbortSignal): Promise<NotifyResult>
}

/** Credentials that sign requests to AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Only for temporary credentials. */
  readonly sessionToken?: string
  /** Used if the configuration names no region. */
  readonly region?: string
}

/** A run of a webhook that a notification asks for. */
export interface AlertRunRequest {
  /** The id of the webhook. */
  readonly webhook: string
  /** What sources beginning with `data` read: the notification, in the format of `webhook_configs`. */
  readonly data: object
  /** The name of the receiver. */
  readonly receiver: string
  /** SHA-256 of the key of the alert group, in hex. */
  readonly group_hash: string
  /** Identifies the notification: with the same key there is no second run, in any process. */
  readonly key: string
}

/** Runs webhooks for receivers. @see createWebhookRuns */
export interface WebhookRuns {
  /** Why no receiver may run a webhook; `undefined` if receivers may. */
  problemOf(webhook: string): string | undefined
  /**
   * Records a run, or finds the one that the same notification made before.
   *
   * @returns the id of the run; `undefined` if the rules of the webhook want none.
   * @throws {GatehouseError} if no run can be made.
   */
  run(request: AlertRunRequest): Promise<string | undefined>
}

/** The ports that notifiers use. */
export interface NotifierPorts {
  readonly send: SendRequest
  /** Reads a file with a secret, again for each notification. */
  readonly readFile: (path: string) => Promise<string>
  readonly clock: Clock
  /** Generates the ids of emails (default: from random numbers). */
  readonly ids?: Ids
  /** The name of this machine in `Message-Id` (default `localhost.localdomain`). */
  readonly hostname?: string
  /** Runs the webhooks of `webhook_run_configs`. */
  readonly webhookRuns?: WebhookRuns
  /**
   * Returns AWS credentials if the configuration has none, or names a profile or a role. Called for each notification. Without
   * it, only an access key in the configuration can be used.
   *
   * @throws {Error} if there are none; the message contains no secret. The notification is retried.
   */
  readonly awsCredentials?: (config: Sigv4Config) => Promise<AwsCredentials>
}
