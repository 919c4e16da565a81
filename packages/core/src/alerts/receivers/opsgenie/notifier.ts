import { compareBytes } from '@gatehouse/go-template/text'
import type { OutgoingRequest } from '../../../http-client/send-request.ts'
import { detailsWithout } from '../../../http-client/without-secrets.ts'
import type { Notification } from '../../notification/notification.ts'
import { apiUrl } from '../attempt/api-url.ts'
import { attempt } from '../attempt/attempt.ts'
import { jsonBody, unlessEmpty } from '../attempt/json-body.ts'
import { renderSecret } from '../attempt/render-secret.ts'
import { secretOf } from '../attempt/secret-of.ts'
import { truncate } from '../attempt/truncate.ts'
import type { ReceiverKind } from '../kind.ts'
import { type OpsgenieIntegration, type OpsgenieResponder, opsgenieConfig } from './config.ts'
import type { AlertmanagerOpsgenieConfig } from './written.ts'

/** The most characters of a message. @see Opsgenie Alert API, "Create Alert" */
const maxMessage = 130

/** Creates, updates and closes alerts in Opsgenie. @see Opsgenie Alert API */
export const opsgenie: ReceiverKind<OpsgenieIntegration, AlertmanagerOpsgenieConfig> = {
  ...opsgenieConfig,
  create: (integration, ports) => ({
    name: 'opsgenie',
    async notify(notification, signal) {
      const operations = operationsFor(integration, notification)
      const { api_key, api_key_file, api_url, http_config: http } = integration
      const secret = await secretOf(ports, api_key, api_key_file)
      const key = renderSecret(notification, 'api_key', secret)
      const headers = { authorization: `GenieKey ${key}`, 'content-type': 'application/json' }
      const options = { http, signal, retryOn: [429], detailsOf: detailsWithout([key]) }
      for (const { method, path, query, content } of operations) {
        const url = apiUrl(api_url, { path, query })
        const request = { method, url, headers, body: jsonBody(content) }
        const result = await attempt(ports, request, options)
        if (result.outcome !== 'sent') return result
      }
      return { outcome: 'sent' }
    },
  }),
}

/** A request to the API. */
interface Operation {
  readonly method: OutgoingRequest['method']
  readonly path: string
  readonly query: string
  readonly content: object
}

/** The requests that update Opsgenie, in their order. All are rendered before the first is sent. */
function operationsFor(
  integration: OpsgenieIntegration,
  notification: Notification,
): readonly Operation[] {
  const { groupHash, status } = notification
  const query = 'identifierType=alias'
  const path = `v2/alerts/${groupHash}`
  if (status === 'resolved') {
    const source = notification.text(integration.source)
    return [{ method: 'POST', path: `${path}/close`, query, content: { source } }]
  }
  const message = truncate(notification.text(integration.message), maxMessage)
  const description = unlessEmpty(notification.text(integration.description))
  const content = alertFor(integration, notification, { message, description })
  const create: Operation = { method: 'POST', path: 'v2/alerts', query: '', content }
  if (!integration.update_alerts) return [create]
  return [
    create,
    {
      method: 'PUT',
      path: `${path}/message`,
      query,
      content: { message: unlessEmpty(message) },
    },
    { method: 'PUT', path: `${path}/description`, query, content: { description } },
  ]
}

/** The body of a request that creates an alert. */
function alertFor(
  integration: OpsgenieIntegration,
  notification: Notification,
  texts: { readonly message: string; readonly description: string | undefined },
): object {
  const render = (template: string): string => notification.text(template)
  const responders = integration.responders.flatMap((given) => respondersFor(given, render))
  return {
    alias: notification.groupHash,
    ...texts,
    details: detailsFor(integration, notification),
    source: render(integration.source),
    responders: unlessEmpty(responders),
    tags: unlessEmpty(parts(render(integration.tags))),
    note: unlessEmpty(render(integration.note)),
    priority: unlessEmpty(render(integration.priority)),
    entity: unlessEmpty(render(integration.entity)),
    actions: unlessEmpty(parts(render(integration.actions))),
  }
}

/** The common labels and the configured details, which take precedence, in byte order of the names. */
function detailsFor(integration: OpsgenieIntegration, notification: Notification): object {
  const details = new Map(Object.entries(notification.commonLabels))
  for (const [name, template] of integration.details) details.set(name, notification.text(template))
  return Object.fromEntries([...details].sort(([a], [b]) => compareBytes(a, b)))
}

/** The responders of a configured responder; none if its templates render to no name. */
function respondersFor(
  given: OpsgenieResponder,
  render: (template: string) => string,
): readonly object[] {
  const id = unlessEmpty(render(given.id))
  const name = render(given.name)
  const username = unlessEmpty(render(given.username))
  const type = render(given.type)
  if (type === 'teams') return parts(name).map((team) => ({ name: team, type: 'team' }))
  if (id === undefined && name === '' && username === undefined) return []
  return [{ id, name: unlessEmpty(name), username, type }]
}

/** The items of a comma-separated list. */
const parts = (list: string): readonly string[] =>
  list
    .trim()
    .split(',')
    .filter((part) => part !== '')
