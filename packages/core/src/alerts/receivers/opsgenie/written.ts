import type { AlertmanagerIntegration } from '../written-integration.ts'

/** A person or team that shall respond to an alert, by one of `id`, `name` and `username`. Templates. */
interface OpsgenieResponder {
  readonly id?: string
  readonly name?: string
  readonly username?: string
  /** `team`, `teams`, `user`, `escalation` or `schedule`. */
  readonly type: string
}

/** Creates and closes alerts in Opsgenie. Texts are templates. `send_resolved` is `true` by default. @see Alertmanager configuration, `<opsgenie_config>` */
export interface AlertmanagerOpsgenieConfig extends AlertmanagerIntegration {
  /** A secret (default: that of `global`). Either this or `api_key_file`. */
  readonly api_key?: string
  readonly api_key_file?: string
  /** Default: `global.opsgenie_api_url`. */
  readonly api_url?: string
  readonly message?: string
  readonly description?: string
  readonly source?: string
  /** Additional details by name. */
  readonly details?: Readonly<Record<string, string>>
  readonly entity?: string
  readonly responders?: readonly OpsgenieResponder[]
  /** Separated by commas. */
  readonly actions?: string
  /** Separated by commas. */
  readonly tags?: string
  readonly note?: string
  /** From `P1` to `P5`. */
  readonly priority?: string
  /** Whether message and description of an open alert are updated (default `false`). */
  readonly update_alerts?: boolean
}
