import type { OutgoingAnswer, OutgoingRequest } from '../../../http-client/send-request.ts'
import { detailsWithout, secretsOfUrl } from '../../../http-client/without-secrets.ts'
import type { Notification } from '../../notification/notification.ts'
import { webhookPayload } from '../../notification/webhook-payload.ts'
import { answerMembers } from '../attempt/answer-members.ts'
import { attempt, jsonPost } from '../attempt/attempt.ts'
import { secretOf } from '../attempt/secret-of.ts'
import type { ReceiverKind } from '../kind.ts'
import { type IncidentioIntegration, incidentioConfig } from './config.ts'
import type { AlertmanagerIncidentioConfig } from './written.ts'

/** The largest body, in bytes. */
const maxBodyBytes = 512 * 1024

/** Posts notifications to an alert source of incident.io. @see incident.io API, "Alert sources", Alertmanager */
export const incidentio: ReceiverKind<IncidentioIntegration, AlertmanagerIncidentioConfig> = {
  ...incidentioConfig,
  create: (integration, ports) => ({
    name: 'incidentio',
    async notify(notification, signal) {
      const { url: givenUrl, url_file, alert_source_token, alert_source_token_file } = integration
      const url = await secretOf(ports, givenUrl, url_file)
      const token = await secretOf(ports, alert_source_token, alert_source_token_file)
      const request = jsonPost(url, bodyOf(notification))
      return attempt(ports, token === '' ? request : withToken(request, token), {
        http: integration.http_config,
        signal,
        timeoutMs: integration.timeout,
        retryOn: [429],
        detailsOf: describe([...secretsOfUrl(url), token]),
      })
    },
  }),
}

const withToken = (request: OutgoingRequest, token: string): OutgoingRequest => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${token}` },
})

/** If a notification would be too large, only its first alert is sent, which is the most important one. */
function bodyOf(notification: Notification): string {
  const { alerts, truncatedAlerts } = notification
  const body = webhookPayload(notification, { version: '1', truncatedAlerts })
  if (Buffer.byteLength(body) <= maxBodyBytes) return body
  const single = { ...notification, alerts: alerts.slice(0, 1) }
  return webhookPayload(single, {
    version: '1',
    truncatedAlerts: truncatedAlerts + alerts.length - 1,
  })
}

/** The error message of the API. */
function describe(secrets: readonly string[]): (answer: OutgoingAnswer) => string {
  return (answer) => {
    const { message, error, errors } = answerMembers(answer) ?? {}
    const list = Array.isArray(errors) ? errors.filter((one) => typeof one === 'string') : []
    const parts = [message, error, list.join(', ')].filter(
      (part) => typeof part === 'string' && part !== '',
    )
    return parts.length === 0
      ? detailsWithout(secrets)(answer)
      : detailsWithout(secrets)({ ...answer, body: parts.join(': ') })
  }
}
