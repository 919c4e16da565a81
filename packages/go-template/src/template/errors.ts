import { GoError } from '../go-error.ts'
import type { Source } from './node.ts'

/** The text of a template is invalid. `message` names the source and the line. */
export const templateSyntax = (source: Source, line: number, message: string): GoError =>
  new GoError('Invalid', 'TemplateSyntax', `template: ${source.name}:${line}: ${message}`, {
    info: { template: source.name, line },
  })

/** A run of a template failed. */
export const templateExecution = (message: string, cause?: unknown): GoError =>
  new GoError('Invalid', 'TemplateExecution', message, { cause })

/** A run of a template exceeded a limit of work, depth or space. */
export const templateLimit = (message: string): GoError =>
  new GoError('TooLarge', 'TemplateLimit', message)

/** A function rejected the arguments of a template. The run fails with this message. */
export const functionFailed = (message: string, cause?: unknown): GoError =>
  new GoError('Invalid', 'TemplateFunction', message, { cause })
