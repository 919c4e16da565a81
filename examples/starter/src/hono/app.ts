import { honoAdapter } from '@gatehouse/adapter-hono'
import { Hono } from 'hono'
import { routesOf, type Services } from '../services.ts'
import { accountRoutes } from './account.ts' // with sign-in
import { health } from './health.ts' // with alerts

/** The app: its own routes, and those of the services. */
export function createApp(services: Services): Hono {
  const app = new Hono()
  app.get('/', (c) => c.text('It works.'))
  app.get('/health', health(services.alerts)) // with alerts
  app.route('/', accountRoutes(services.auth)) // with sign-in
  app.route('/', honoAdapter(routesOf(services)))
  return app
}
