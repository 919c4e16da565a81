import { fetchHandler } from '@gatehouse/core'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { printMail } from '../mail.ts' // with sign-in
import { createServices, routesOf, runServices, type Services } from '../services.ts'

// Next.js loads this file several times. A build loads it too, so nothing is created before the first request.
const kept: { services?: Services } = globalThis as object

/** The services, which run as long as the process. */
export function services(): Services {
  kept.services ??= start()
  return kept.services
}

function start(): Services {
  const created = createServices({
    storage: createSqliteStorage({ filename: 'app.db' }),
    environment: process.env,
    senders: { sendEmail: printMail }, // with sign-in
  })
  runServices(created)
  return created
}

/** Lets tests use services of their own. */
export function keepServices(own: Services): void {
  kept.services = own
}

/** Answers with the routes of the services. */
export async function answer(request: Request): Promise<Response> {
  // Next.js writes the address of the connection to X-Forwarded-For, as a proxy on this machine.
  return fetchHandler(routesOf(services()), { trustedProxies: ['127.0.0.1', '::1'] })(request)
}
