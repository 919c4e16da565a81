import type { Notification } from '../../notification/notification.ts'
import { jsonBody, unlessEmpty } from '../attempt/json-body.ts'
import { truncate } from '../attempt/truncate.ts'
import type { PagerdutyIntegration } from './config.ts'

/** How many characters a description may have. */
const maxDescription = 1_024

/** How many bytes an event may have. */
const maxEventBytes = 512_000

/** What stands for details that are too large. */
const removedDetails = {
  error:
    'Custom details have been removed because the original event exceeds the maximum size of 512KB',
}

/** Makes an event for the integration that a key names. */
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
    // Members of v2, which the reference sends in v1 too.
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

/** The body of an event; without its details where it would have more bytes than are taken. */
export function eventBody(event: (details: object) => object, details: object): string {
  const body = jsonBody(event(details))
  const isTooLarge = new TextEncoder().encode(body).length > maxEventBytes
  return isTooLarge ? jsonBody(event(removedDetails)) : body
}
