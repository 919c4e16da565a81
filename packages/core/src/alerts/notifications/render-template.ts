import {
  anyText,
  decodeInput,
  exactly,
  listOf,
  objectOf,
  oneOf,
  optional,
  wholeFrom,
} from '../../input/decode.ts'
import { instant } from '../../input/instant.ts'
import type { Acknowledgement } from '../alert/acknowledgement.ts'
import { labelsInput } from '../alert/alert-input.ts'
import type { AlertsContext } from '../context.ts'
import type { TemplateAlert, TemplateFacts } from '../notification/template-data.ts'
import {
  type DecodedSample,
  type NotificationSample,
  sampleInput,
} from '../preview/notification-sample.ts'
import { sampleNotification } from '../preview/sample-notification.ts'

/** Options of {@link renderTemplate}. */
export interface RenderTemplateOptions {
  /** `html` escapes the values that the template prints, by their context (default `text`, which does not). */
  type?: 'text' | 'html'
  /** The notification that the template renders, as if sent to the receiver of the root route (default: one firing alert). */
  sample?: NotificationSample
  /** The value of dot, instead of a sample: {@link decodeTemplateData} reads it from JSON. */
  data?: TemplateFacts
}

const templateAlert = objectOf<TemplateAlert>({
  status: anyText,
  labels: labelsInput,
  annotations: labelsInput,
  startsAt: instant,
  startsAtText: optional(anyText),
  endsAt: optional(instant),
  endsAtText: optional(anyText),
  generatorURL: anyText,
  fingerprint: anyText,
  acknowledgement: optional(
    objectOf<Acknowledgement>({
      by: anyText,
      comment: anyText,
      since: instant,
      until: optional(instant),
    }),
  ),
})

const templateFacts = objectOf<TemplateFacts>({
  receiver: anyText,
  status: anyText,
  reason: anyText,
  alerts: listOf(templateAlert),
  groupLabels: labelsInput,
  commonLabels: labelsInput,
  commonAnnotations: labelsInput,
  routeLabels: labelsInput,
  externalURL: anyText,
  truncatedAlerts: optional(wholeFrom(0)),
  limitedGroups: optional(listOf(anyText)),
})

const decodeOptions = exactly<Omit<RenderTemplateOptions, 'sample'> & { sample?: DecodedSample }>({
  type: optional(oneOf(['text', 'html'])),
  sample: optional(sampleInput),
  data: optional(templateFacts),
})

/**
 * Renders a template as a notification would, with the template files of the running configuration and with the templates that
 * come with the service.
 *
 * @throws {GatehouseError} `InvalidInput`, `TemplateSyntax`, `TemplateExecution`, `TemplateUnsafe`, `TemplateLimit`
 * @example
 * const text = await renderTemplate(alerts, '{{ .CommonLabels.alertname | toUpper }}')
 * @see amtool, `template render`
 */
export function renderTemplate(
  alerts: AlertsContext,
  template: string,
  options: RenderTemplateOptions = {},
): string {
  const text = decodeInput('template', anyText, template)
  const { type = 'text', sample = {}, data } = decodeInput('options', decodeOptions, options)
  const { templates } = alerts.receiversOf(alerts.config.current)
  if (data !== undefined) return templates.rendererOf(data)[type](text)
  const { receiver } = alerts.board.routingTree.root
  const notification = sampleNotification(alerts, receiver, { sample, sendResolved: true })
  return notification?.[type](text) ?? ''
}
