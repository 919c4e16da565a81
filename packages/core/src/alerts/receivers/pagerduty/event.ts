import type { Notification } from '../../notification/notification.ts'
import { jsonBody, unlessEmpty } from '../attempt/json-body.ts'
import { truncate } from '../attempt/truncate.ts'
import type { PagerdutyIntegration } from './config.ts'

/** The most characters of a description. */
const maxDescription = 1_024

/** The largest event, in bytes. */
const maxEventBytes = 512_000

/** Replaces details that are too large. */
const removedDetails = {
  error:
    'Custom details have been removed because the original event exceeds the maximum size of 512KB',
}

/** Creates an event for the integration with a key. */
export type PagerdutyEvent = (
  integration: PagerdutyIntegration,
  notification: Notification,
  options: { readonly key: string; readonly details: object },
) => object

/** @see PagerDuty Events API v1, "Trigger Events" */
export const eventV1: PagerdutyEvent = (integration, notification, { key, details }) => {
  const { status, groupHash } = notification
  const isFiring = status === 'firing'
  return {
    service_key: key,
    incident_key: groupHash,
    event_type: eventType(notification),
    description: unlessEmpty(description(integration, notification)),
    // Members of v2, which Alertmanager sends in v1 too.
    event_action: '',
    payload: null,
    client: isFiring ? unlessEmpty(notification.text(integration.client)) : undefined,
    client_url: isFiring ? unlessEmpty(notification.text(integration.client_url)) : undefined,
    details,
  }
}

/** @see PagerDuty Events API v2, "Send an Alert Event" */
export const eventV2: PagerdutyEvent = (integration, notification, { key, details }) => {
  const render = (template: string): string => notification.text(template)
  const images = integration.images
    .map(({ src, alt, href }) => ({ src: render(src), alt: render(alt), href: render(href) }))
    .filter(({ src }) => src !== '')
  const links = integration.links
    .map(({ href, text }) => ({ href: render(href), text: render(text) }))
    .filter(({ href }) => href !== '')
  return {
    routing_key: key,
    dedup_key: notification.groupHash,
    event_action: eventType(notification),
    payload: {
      summary: description(integration, notification),
      source: render(integration.source),
      severity: render(integration.severity) || 'error',
      class: unlessEmpty(render(integration.class)),
      component: unlessEmpty(render(integration.component)),
      group: unlessEmpty(render(integration.group)),
      custom_details: details,
    },
    client: unlessEmpty(render(integration.client)),
    client_url: unlessEmpty(render(integration.client_url)),
    images: unlessEmpty(images),
    links: unlessEmpty(links),
  }
}

const eventType = ({ status }: Notification): string =>
  status === 'firing' ? 'trigger' : 'resolve'

const description = (integration: PagerdutyIntegration, notification: Notification): string =>
  truncate(notification.text(integration.description), maxDescription)

/** The body of an event; without its details if it would be too large. */
export function eventBody(event: (details: object) => object, details: object): string {
  const body = jsonBody(event(details))
  const isTooLarge = new TextEncoder().encode(body).length > maxEventBytes
  return isTooLarge ? jsonBody(event(removedDetails)) : body
}
