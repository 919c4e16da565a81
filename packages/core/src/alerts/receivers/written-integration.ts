import type { AlertmanagerHttpConfig } from '../fields/written/http-config.ts'

/** The keys that most integrations have. */
export interface AlertmanagerIntegration {
  /** Whether to notify when alerts are resolved as well. */
  readonly send_resolved?: boolean
  /** How to send requests (default: `global.http_config`). */
  readonly http_config?: AlertmanagerHttpConfig
}

/** Any JSON value. Every text in it is a template. */
export type AlertmanagerTemplates =
  | string
  | number
  | boolean
  | null
  | readonly AlertmanagerTemplates[]
  | { readonly [key: string]: AlertmanagerTemplates }
