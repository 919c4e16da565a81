import { expressAdapter } from '@gatehouse/adapter-express'
import express, { type Express } from 'express'
import { routesOf, type Services } from '../services.ts'
import { accountRoutes } from './account.ts' // with sign-in
import { health } from './health.ts' // with alerts

/** The app: its own routes, and those of the services. */
export function createApp(services: Services): Express {
  const app = express()
  app.get('/', (_request, response) => void response.send('It works.'))
  app.get('/health', health(services.alerts)) // with alerts
  app.use(accountRoutes(services.auth)) // with sign-in
  app.use(expressAdapter(routesOf(services)))
  return app
}
