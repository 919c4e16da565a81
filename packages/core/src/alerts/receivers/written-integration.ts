import type { AlertmanagerHttpConfig } from '../fields/written/http-config.ts'

/** The keys of integrations that send no request of their own. */
export interface AlertmanagerPlainIntegration {
  /** Whether to notify when alerts are resolved as well. */
  readonly send_resolved?: boolean
  /** The most alerts in a notification (default 0: all). Alertmanager has it only for webhooks and incident.io. */
  readonly max_alerts?: number | bigint
}

/** The keys that most integrations have. */
export interface AlertmanagerIntegration extends AlertmanagerPlainIntegration {
  /** How to send requests (default: `global.http_config`). */
  readonly http_config?: AlertmanagerHttpConfig
}

/** Any JSON value. Every text in it is a template. */
export type AlertmanagerTemplates =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly AlertmanagerTemplates[]
  | { readonly [key: string]: AlertmanagerTemplates }
