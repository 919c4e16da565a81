import { nextAdapter } from '@gatehouse/next'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { printMail } from '../mail.ts' // with sign-in
import { createServices, routesOf, runServices } from '../services.ts'

/** The services for pages, actions, routes and `proxy.ts`. They start with the first request, and run as long as the process. */
export const gatehouse = nextAdapter({
  start() {
    const services = createServices({
      storage: createSqliteStorage({ filename: 'app.db' }),
      environment: process.env,
      senders: { sendEmail: printMail }, // with sign-in
    })
    runServices(services)
    return services
  },
  routes: routesOf,
})
