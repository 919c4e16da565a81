import type { DocumentCode, DocumentProblem } from '../../document/problem.ts'

/** The problem of a configuration value. Only `checkCommands` reports those of programs and workdirs; `unreadable` is a whole file. */
export type WebhooksConfigCode =
  | DocumentCode
  | 'duplicate_id'
  | 'bad_command'
  | 'arguments_not_placeable'
  | 'unsafe_command'
  | 'bad_path'
  | 'secret_source'
  | 'bad_size'
  | 'bad_cidr'
  | 'bad_cron'
  | 'bad_time_zone'
  | 'workdir_not_found'
  | 'program_not_found'
  | 'no_interpreter'
  | 'unreadable'

/** One problem of the configuration of the webhook service. It quotes no values. */
export interface WebhooksConfigProblem extends DocumentProblem<WebhooksConfigCode> {
  /** The further file that has it; absent for the configuration itself. */
  readonly file?: string
}
