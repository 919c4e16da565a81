// What the pages about the HTTP interfaces are made from.
import { alertsApi } from '../../packages/core/src/alerts/api/operations.ts'
import { authApi } from '../../packages/core/src/auth/api/operations.ts'
import { convertInterface } from '../../packages/core/src/http/api/convert.ts'
import { openApiRoutes } from '../../packages/core/src/http/index.ts'
import { webhookApi } from '../../packages/core/src/webhook/api/operations.ts'

export { openApiRoutes }

/** The services, with the names of their pages. */
export const services = [
  { page: 'sign-in', title: 'Sign-in', description: convertInterface(authApi).part },
  { page: 'alerts', title: 'Alerts', description: convertInterface(alertsApi).part },
  { page: 'webhooks', title: 'Webhooks', description: convertInterface(webhookApi).part },
]
