import {
  type Clock,
  type Route,
  type Running,
  type Storage,
  startAlerts, // with alerts
  startAuth, // with sign-in
  startWebhooks, // with webhooks
  stopAll,
  systemClock,
} from '@gatehouse/core'
import { signInRoutes } from '@gatehouse/sign-in' // with sign-in
import { createAppAlerts } from './alerts.ts' // with alerts
import { createSignIn, type SignInSettings } from './sign-in.ts' // with sign-in
import { createAppWebhooks } from './webhooks.ts' // with webhooks

/** Variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The storage, the senders and other ports. Tests pass their own. */
export interface ServicesOptions {
  readonly storage: Storage
  readonly environment: Environment
  readonly clock?: Clock
  readonly senders?: NonNullable<SignInSettings['senders']> // with sign-in
  readonly hasher?: NonNullable<SignInSettings['hasher']> // with sign-in
}

/** The services of the app. */
export type Services = ReturnType<typeof createServices>

/** Creates the services. Nothing runs before {@link runServices}. */
export function createServices({
  storage,
  clock = systemClock,
  environment,
  ...ports
}: ServicesOptions) {
  const origin = environment.PUBLIC_ORIGIN ?? `http://localhost:${environment.PORT ?? 3000}` // with sign-in
  const key = environment.AUTH_KEY ?? '' // with sign-in
  return {
    alerts: createAppAlerts({ storage, clock }), // with alerts
    auth: createSignIn({ storage, clock, ...ports, origin, key }), // with sign-in
    webhooks: createAppWebhooks({ storage, clock, environment }), // with webhooks
  }
}

/** The routes of all services. */
export function routesOf(services: Services): readonly Route[] {
  return [
    ...services.alerts.routes, // with alerts
    ...services.auth.routes, // with sign-in
    ...signInRoutes(services.auth, { name: 'My app' }), // with sign-in
    ...services.webhooks.routes, // with webhooks
  ]
}

/** Runs the services. `stop()` ends them, and waits for work in progress. */
export function runServices(services: Services): Running {
  const running = [
    startAlerts(services.alerts), // with alerts
    startAuth(services.auth), // with sign-in
    startWebhooks(services.webhooks), // with webhooks
  ]
  return { stop: () => stopAll(...running) }
}
