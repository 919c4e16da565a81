import { GatehouseError } from '../errors.ts'
import type { Source } from './node.ts'

/** The text of a template is invalid. `message` names the source and the line. */
export const templateSyntax = (source: Source, line: number, message: string): GatehouseError =>
  new GatehouseError('Invalid', 'TemplateSyntax', `template: ${source.name}:${line}: ${message}`, {
    info: { template: source.name, line },
  })

/** A run of a template failed. */
export const templateExecution = (message: string, cause?: unknown): GatehouseError =>
  new GatehouseError('Invalid', 'TemplateExecution', message, { cause })

/** A run of a template exceeded a limit of work, depth or space. */
export const templateLimit = (message: string): GatehouseError =>
  new GatehouseError('TooLarge', 'TemplateLimit', message)

/** A function rejected the arguments of a template. The run fails with this message. */
export const functionFailed = (message: string, cause?: unknown): GatehouseError =>
  new GatehouseError('Invalid', 'TemplateFunction', message, { cause })
