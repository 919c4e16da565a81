import type { AlertsContext } from './context.ts'
import type { NotificationSample } from './notification-sample.ts'
import { sampleNotification } from './sample-notification.ts'
import type { TemplateFacts } from './template-data.ts'

/** Options of {@link renderTemplate}. */
export interface RenderTemplateOptions {
  /** `html` escapes what the template prints, by where it stands (default `text`, which does not). */
  type?: 'text' | 'html'
  /** What the template is told of, as a notification to the root's receiver (default one alert that fires). */
  sample?: NotificationSample
  /** What dot is, in place of a sample: {@link decodeTemplateData} reads it from JSON. */
  data?: TemplateFacts
}

/**
 * Renders a template as a notification would, with the template files of the running configuration and with the
 * templates that come with the service.
 *
 * @throws {GatehouseError} `TemplateSyntax`, `TemplateExecution`, `TemplateUnsafe`, `TemplateLimit`
 * @see amtool, `template render`
 */
export function renderTemplate(
  alerts: AlertsContext,
  template: string,
  { type = 'text', sample = {}, data }: RenderTemplateOptions = {},
): string {
  const { templates } = alerts.receiversOf(alerts.config.current)
  if (data !== undefined) return templates.rendererOf(data)[type](template)
  const { receiver } = alerts.board.routingTree.root
  const notification = sampleNotification(alerts, receiver, { sample, sendResolved: true })
  return notification?.[type](template) ?? ''
}
