import { createAlertsClient, createAnswerMemory, createClient } from '@gatehouse/client'
import { fetchQuietly, quiet } from './quiet-fetch.ts'

export type ServiceName = 'alerts' | 'webhooks' | 'auth'

/** Where the services are, as the server wrote it into the page; a service that is off is absent. */
export const services: Readonly<Partial<Record<ServiceName, string>>> = JSON.parse(
  document.querySelector('meta[name="gatehouse-services"]')?.getAttribute('content') ?? '{}',
)

/** The label that says how bad an alert is. */
export const severityLabel: string =
  document.querySelector('meta[name="gatehouse-severity-label"]')?.getAttribute('content') ??
  'severity'

/** Whether the browser can ask for a password of the server. Where it is unknown, it is tried. */
export const hasServerPasswords: boolean =
  services.alerts !== undefined &&
  document.querySelector('meta[name="gatehouse-server-passwords"]')?.getAttribute('content') !==
    'false'

/** The URL of the sign-in page, relative to the console's own; `undefined` without one. */
export const signInPage: string | undefined =
  document.querySelector('meta[name="gatehouse-sign-in"]')?.getAttribute('content') || undefined

/** Whether there is a way to sign in. */
export const canSignIn: boolean = signInPage !== undefined || hasServerPasswords

/** The URL of a path that is relative to the page, without its final slash. */
export const urlOf = (path: string): string =>
  new URL(path, new URL('.', location.href)).pathname.replace(/\/+$/, '')

/** The URL of the service of alerts; `undefined` without one. */
export const alertsUrl: string | undefined =
  services.alerts === undefined ? undefined : `${location.origin}${urlOf(services.alerts)}`

export const client = createClient({
  url: location.origin,
  answers: createAnswerMemory(),
  fetch: fetchQuietly(async () => {
    if (alertsUrl === undefined) return false
    // A browser that has the password sends it here by itself, since this is where it asked for it.
    const { subject } = await createAlertsClient({
      url: alertsUrl,
      headers: quiet,
    }).me()
    return subject !== null && subject.kind !== 'session'
  }),
  basePaths: Object.fromEntries(
    Object.entries(services).map(([name, path]) => [name, urlOf(path)]),
  ),
})
