import { createClient } from '@gatehouse/client'

export type ServiceName = 'alerts' | 'webhooks' | 'auth'

/** Where the services are, as the server wrote it into the page; a service that is off is absent. */
export const services: Readonly<Partial<Record<ServiceName, string>>> = JSON.parse(
  document.querySelector('meta[name="gatehouse-services"]')?.getAttribute('content') ?? '{}',
)

/** The label that says how bad an alert is. */
export const severityLabel: string =
  document.querySelector('meta[name="gatehouse-severity-label"]')?.getAttribute('content') ??
  'severity'

/** The URL of a path that is relative to the page, without its final slash. */
export const urlOf = (path: string): string =>
  new URL(path, new URL('.', location.href)).pathname.replace(/\/+$/, '')

export const client = createClient({
  url: location.origin,
  basePaths: Object.fromEntries(
    Object.entries(services).map(([name, path]) => [name, urlOf(path)]),
  ),
})
