import type { AlertmanagerIntegration, AlertmanagerTemplates } from '../written-integration.ts'

/** A template, alone or with options. */
interface JiraField {
  readonly template?: string
  /** Whether later notifications update it (default `true`). */
  readonly enable_update?: boolean
}

/**
 * Keeps an issue in Jira for each alert group. `send_resolved` is `true` by default. @see Alertmanager configuration,
 * `<jira_config>`
 */
export interface AlertmanagerJiraConfig extends AlertmanagerIntegration {
  /** Default: `global.jira_api_url`. */
  readonly api_url?: string
  /** Default `auto`. */
  readonly api_type?: 'auto' | 'cloud' | 'datacenter'
  /** The key of the project. A template. */
  readonly project: string
  /** A template. */
  readonly summary?: string | JiraField
  /** A template. */
  readonly description?: string | JiraField
  /** Templates. */
  readonly labels?: readonly string[]
  /** A template. */
  readonly priority?: string
  /** Such as `Bug`. A template. */
  readonly issue_type: string
  /** The transition that reopens an issue. */
  readonly reopen_transition?: string
  /** The transition that closes an issue. */
  readonly resolve_transition?: string
  /** Issues with this resolution stay closed. */
  readonly wont_fix_resolution?: string
  /** How long after its resolution an issue is reopened, such as `30d` (default: always). */
  readonly reopen_duration?: string
  /** Additional fields by id. */
  readonly fields?: Readonly<Record<string, AlertmanagerTemplates>>
}
