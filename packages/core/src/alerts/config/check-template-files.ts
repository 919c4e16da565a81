import { decodeInput, listOf } from '../../input/decode.ts'
import { systemClock } from '../../time/clock.ts'
import {
  createNotificationTemplates,
  type TemplateFile,
} from '../notification/notification-templates.ts'
import { templateFile } from './template-file.ts'

/**
 * Checks template files like the service does when it loads a configuration.
 *
 * @throws {GatehouseError} `InvalidInput`; `TemplateSyntax`, with the name of the file and the line in its message.
 */
export function checkTemplateFiles(files: readonly TemplateFile[]): void {
  createNotificationTemplates(decodeInput('files', listOf(templateFile), files), systemClock)
}
