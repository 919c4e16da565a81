// What the pages about the HTTP interfaces are made from.
import { description as alerts } from '../../packages/core/src/alerts/api/description.ts'
import { description as auth } from '../../packages/core/src/auth/api/description.ts'
import { openApiRoutes } from '../../packages/core/src/http/index.ts'
import { description as webhook } from '../../packages/core/src/webhook/api/description.ts'

export { openApiRoutes }

/** The services, with the names of their pages. */
export const services = [
  { page: 'sign-in', title: 'Sign-in', description: auth },
  { page: 'alerts', title: 'Alerts', description: alerts },
  { page: 'webhooks', title: 'Webhooks', description: webhook },
]
