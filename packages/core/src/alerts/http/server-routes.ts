import { createTimedCache } from '../../async/timed-cache.ts'
import { whoAmI } from '../../authorization/who-am-i.ts'
import { sender } from '../../http/own-api/routes.ts'
import {
  anyText,
  type Decode,
  decodeInput,
  exactly,
  numberFrom,
  optional,
} from '../../input/decode.ts'
import { Refusal } from '../../input/refusal.ts'
import type { AlertsContext } from '../context.ts'
import { cutText } from '../history/cut-short.ts'
import { type TestedIntegration, testReceiver } from '../notifications/test-receiver.ts'
import { type DecodedSample, sampleFields } from '../preview/notification-sample.ts'
import { getServerStatus, type ServerStatus } from '../running-config/get-server-status.ts'
import type { FramedRow } from './frame/framed-row.ts'
import { jsonLine } from './json-body.ts'
import { ownRows, requires } from './operation.ts'
import { withOwnBody } from './own-body.ts'

/** A test of a receiver, as it is requested. */
interface ReceiverTestRequest extends DecodedSample {
  receiver: string
  timeoutMs?: number
}

const maxAlerts = 100
/** As the history keeps it. */
const maxDetailLength = 2_048

const fewAlerts: Decode<DecodedSample['alerts']> = (value) => {
  const alerts = sampleFields.alerts(value)
  if (alerts !== undefined && alerts.length > maxAlerts) {
    throw new Refusal(`at most ${maxAlerts} alerts`, String(alerts.length))
  }
  return alerts
}

const testRequest = exactly<ReceiverTestRequest>({
  receiver: anyText,
  ...sampleFields,
  alerts: fewAlerts,
  timeoutMs: optional(numberFrom(0, 30_000)),
})

function shown({ result, ...rest }: TestedIntegration): object {
  if (result.outcome === 'sent') return { ...rest, result: { outcome: 'sent' } }
  const { outcome, detail } = result
  const reason = 'reason' in result ? { reason: result.reason } : {}
  return { ...rest, result: { outcome, ...reason, detail: cutText(detail, maxDetailLength) } }
}

/** How long a status is shown to further requests. */
const freshMs = 1_000

/** The routes below `/gatehouse/v1` about the server and the sender of a request. */
export function serverRows(alerts: AlertsContext): FramedRow[] {
  const cache = createTimedCache<ServerStatus>(alerts.clock, 1)
  return [
    ...ownRows(alerts, 'server-status', {
      GET: requires('config:read', async () =>
        jsonLine(await cache.get('', freshMs, () => getServerStatus(alerts))),
      ),
    }),
    ...ownRows(alerts, 'me', {
      GET: requires('public', async (_, info) =>
        jsonLine(await sender(info, alerts.access !== undefined, (who) => whoAmI(alerts, who))),
      ),
    }),
    ...ownRows(alerts, 'receiver-tests', {
      POST: requires('receivers:test', (request, { subject }) =>
        withOwnBody(alerts, request, 'request', async (body) => {
          const { receiver, ...sample } = decodeInput('request', testRequest, body)
          const integrations = await testReceiver(alerts, receiver, sample)
          alerts.logger.info({ receiver, subject: subject?.id }, 'a receiver was tested')
          return jsonLine({ items: integrations.map(shown) })
        }),
      ),
    }),
  ]
}
