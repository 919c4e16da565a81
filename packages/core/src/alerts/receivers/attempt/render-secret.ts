import { GatehouseError, isGatehouseError } from '../../../errors.ts'
import type { NotificationRenderer } from '../../notification/notification.ts'

/**
 * Renders a secret, which may be a template.
 *
 * @param name of the setting, for the error message, which does not contain the secret.
 * @throws {GatehouseError} `TemplateSyntax`, `TemplateExecution`
 */
export function renderSecret(renderer: NotificationRenderer, name: string, secret: string): string {
  if (!secret.includes('{{')) return secret
  try {
    return renderer.text(secret)
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    throw new GatehouseError(error.kind, error.reason, `the template ${name} cannot be rendered`)
  }
}
