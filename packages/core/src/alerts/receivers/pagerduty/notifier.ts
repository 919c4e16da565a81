import type { OutgoingAnswer } from '../../../http-client/send-request.ts'
import { detailsWithout } from '../../../http-client/without-secrets.ts'
import { renderedValue } from '../../notification/rendered-value.ts'
import { answerMembers } from '../attempt/answer-members.ts'
import { apiUrl } from '../attempt/api-url.ts'
import { attempt, jsonPost } from '../attempt/attempt.ts'
import { renderSecret } from '../attempt/render-secret.ts'
import { secretOf } from '../attempt/secret-of.ts'
import type { ReceiverKind } from '../kind.ts'
import type { NotifierPorts } from '../notifier.ts'
import { type PagerdutyIntegration, pagerdutyConfig } from './config.ts'
import { eventBody, eventV1, eventV2, type PagerdutyEvent } from './event.ts'
import type { AlertmanagerPagerdutyConfig } from './written.ts'

const urlV1 = 'https://events.pagerduty.com/generic/2010-04-15/create_event.json'

/** Opens and resolves incidents in PagerDuty. @see PagerDuty Events API v1 and v2 */
export const pagerduty: ReceiverKind<PagerdutyIntegration, AlertmanagerPagerdutyConfig> = {
  ...pagerdutyConfig,
  create: (integration, ports) => ({
    name: 'pagerduty',
    async notify(notification, signal) {
      const { name, url, event, retryOn, secret } = await apiOf(integration, ports)
      const key = renderSecret(notification, name, secret)
      if (key === '') {
        return {
          outcome: 'failed',
          reason: 'other',
          detail: `the ${name} is empty after rendering`,
        }
      }
      const body = eventBody(
        (details) => event(integration, notification, { key, details }),
        renderedValue(integration.details, (template) => notification.text(template)),
      )
      return attempt(ports, jsonPost(url, body), {
        http: integration.http_config,
        signal,
        timeoutMs: integration.timeout,
        retryOn,
        detailsOf: describe(key),
      })
    },
  }),
}

/** One of the two versions of the API, with its differences. */
interface Api {
  /** The setting with the key. */
  readonly name: string
  readonly secret: string
  readonly url: string
  readonly event: PagerdutyEvent
  readonly retryOn: readonly number[]
}

async function apiOf(integration: PagerdutyIntegration, ports: NotifierPorts): Promise<Api> {
  const { service_key, service_key_file, routing_key, routing_key_file } = integration
  if (service_key !== undefined || service_key_file !== '') {
    const secret = await secretOf(ports, service_key, service_key_file)
    return { name: 'service_key', secret, url: urlV1, event: eventV1, retryOn: [403] }
  }
  const secret = await secretOf(ports, routing_key, routing_key_file)
  const url = apiUrl(integration.url)
  return { name: 'routing_key', secret, url, event: eventV2, retryOn: [429] }
}

/** The error of an event, in the words of the API if possible. */
function describe(key: string): (answer: OutgoingAnswer) => string {
  return (answer) => {
    const { message, errors } = answerMembers(answer) ?? {}
    const list = Array.isArray(errors) ? errors.filter((error) => typeof error === 'string') : []
    if (typeof message !== 'string') return detailsWithout([key])(answer)
    const body = list.length === 0 ? message : `${message}: ${list.join(',')}`
    return detailsWithout([key])({ ...answer, body })
  }
}
