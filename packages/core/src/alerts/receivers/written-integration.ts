import type { AlertmanagerHttpConfig } from '../fields/written/http-config.ts'

/** What most integrations of a receiver have. */
export interface AlertmanagerIntegration {
  /** Whether to notify when alerts are resolved as well. */
  readonly send_resolved?: boolean
  /** How requests are sent (default: as `global.http_config` says). */
  readonly http_config?: AlertmanagerHttpConfig
}

/** Any value of JSON. Every text in it is a template. */
export type AlertmanagerTemplates =
  | string
  | number
  | boolean
  | null
  | readonly AlertmanagerTemplates[]
  | { readonly [key: string]: AlertmanagerTemplates }
