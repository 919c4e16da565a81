import { GatehouseError } from '../errors.ts'
import type { Source } from './node.ts'

/** A template's text is wrong. `message` names the source and the line. */
export const templateSyntax = (source: Source, line: number, message: string): GatehouseError =>
  new GatehouseError('Invalid', 'TemplateSyntax', `template: ${source.name}:${line}: ${message}`, {
    info: { template: source.name, line },
  })

/** A run of a template failed. */
export const templateExecution = (message: string, cause?: unknown): GatehouseError =>
  new GatehouseError('Invalid', 'TemplateExecution', message, { cause })

/** A run of a template took more work, depth or space than it may. */
export const templateLimit = (message: string): GatehouseError =>
  new GatehouseError('TooLarge', 'TemplateLimit', message)

/** A function that a template called cannot do it with these arguments. Its run fails with this message. */
export const functionFailed = (message: string, cause?: unknown): GatehouseError =>
  new GatehouseError('Invalid', 'TemplateFunction', message, { cause })
