import { notAuthenticated } from '../../authorization/access.ts'
import { whoAmI } from '../../authorization/who-am-i.ts'
import type { AlertsContext } from '../context.ts'
import { jsonLine } from './json-body.ts'
import { ownRows, requires } from './operation.ts'
import type { GuardedRow } from './request-guard.ts'

/** The route that says who sends a request and what it may do. */
export function meRows(alerts: AlertsContext): GuardedRow[] {
  return ownRows(alerts, 'me', {
    GET: requires('public', async (_, info) => {
      // A browser asks for a password only after a refusal.
      const mustSignIn = new URLSearchParams(info.query).get('sign_in') === 'true'
      if (mustSignIn && alerts.access !== undefined && info.subject === undefined) {
        throw notAuthenticated()
      }
      return jsonLine(await whoAmI(alerts, info))
    }),
  })
}
