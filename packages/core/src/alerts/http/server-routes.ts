import { inSlices } from '../../async/slices.ts'
import { createTimedCache } from '../../async/timed-cache.ts'
import { whoAmI } from '../../authorization/who-am-i.ts'
import { sender } from '../../http/own-api/routes.ts'
import {
  listOtherAlertGroups,
  type OtherAlertGroupsQuery,
} from '../alerts/list-other-alert-groups.ts'
import { listOtherServers } from '../alerts/list-other-servers.ts'
import type { AlertsContext } from '../context.ts'
import { cutText } from '../history/cut-short.ts'
import { shortened } from '../notifications/render-notification.ts'
import { type TestedIntegration, testReceiver } from '../notifications/test-receiver.ts'
import { getServerStatus, type ServerStatus } from '../running-config/get-server-status.ts'
import { type Endpoints, requires } from './endpoint.ts'
import { otherGroupsJson } from './groups-json.ts'
import { jsonLine, taggedAnswer } from './json-body.ts'
import { withOwnBody } from './own-body.ts'
import { readAlertsParameters } from './query.ts'

/** As the history keeps it. */
const maxDetailLength = 2_048

function shown({ result, message, ...tested }: TestedIntegration): object {
  const rest = { ...tested, ...(message && { message: shortened(message) }) }
  if (result.outcome === 'sent') return { ...rest, result: { outcome: 'sent' } }
  const { outcome, detail } = result
  const reason = 'reason' in result ? { reason: result.reason } : {}
  return { ...rest, result: { outcome, ...reason, detail: cutText(detail, maxDetailLength) } }
}

/** How long a status is shown to further requests. */
const freshMs = 1_000

/** The server, and the sender of a request. */
export function serverEndpoints(
  alerts: AlertsContext,
): Endpoints<
  'getServerStatus' | 'getOtherServers' | 'getOtherAlertGroups' | 'getMe' | 'postReceiverTests'
> {
  const cache = createTimedCache<ServerStatus>(alerts.clock, 1)
  return {
    getServerStatus: requires('config:read', async () =>
      jsonLine(await cache.get('', freshMs, () => getServerStatus(alerts))),
    ),
    getOtherServers: requires('alerts:read', async () =>
      jsonLine({ items: await listOtherServers(alerts) }),
    ),
    getOtherAlertGroups: requires('alerts:read', async (request, { params, query }) => {
      const { filter, active, silenced, inhibited } = readAlertsParameters(query)
      const wanted = { filter, active, silenced, inhibited } as OtherAlertGroupsQuery
      const found = await listOtherAlertGroups(alerts, params.name ?? '', wanted)
      return taggedAnswer(request, await inSlices(otherGroupsJson(found)))
    }),
    getMe: requires('public', async (_, info) =>
      jsonLine(await sender(info, alerts.access !== undefined, (who) => whoAmI(alerts, who))),
    ),
    postReceiverTests: requires('receivers:test', (request, info) =>
      withOwnBody(
        alerts,
        request,
        { of: 'postReceiverTests', argument: 'options' },
        async (body) => {
          const { receiver, ...sample } = body
          const message = (await alerts.access?.allows(info, 'config:read')) ?? true
          const integrations = await testReceiver(alerts, receiver, { ...sample, message })
          alerts.logger.info({ receiver, subject: info.subject?.id }, 'a receiver was tested')
          return jsonLine({ items: integrations.map(shown) })
        },
      ),
    ),
  }
}
