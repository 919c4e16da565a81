import type { DocumentCode, DocumentProblem } from '../../document/problem.ts'

/** What is wrong with a value of a configuration. The last three are found by `checkCommands` alone. */
export type WebhooksConfigCode =
  | DocumentCode
  | 'duplicate_id'
  | 'bad_command'
  | 'arguments_not_placeable'
  | 'bad_path'
  | 'secret_source'
  | 'bad_size'
  | 'bad_cidr'
  | 'workdir_not_found'
  | 'program_not_found'
  | 'no_interpreter'

/** One thing that is wrong with the configuration of the webhook service. Quotes no value of it. */
export type WebhooksConfigProblem = DocumentProblem<WebhooksConfigCode>
