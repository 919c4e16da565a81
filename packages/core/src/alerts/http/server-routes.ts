import { createTimedCache } from '../../async/timed-cache.ts'
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
import { getServerStatus, type ServerStatus } from '../get-server-status.ts'
import { cutText } from '../history/cut-short.ts'
import { type DecodedSample, sampleFields } from '../preview/notification-sample.ts'
import { type TestedIntegration, testReceiver } from '../test-receiver.ts'
import { decodeBody } from './decode-body.ts'
import { jsonLine, withBody } from './json-body.ts'
import { ownRows, requires } from './operation.ts'
import type { GuardedRow } from './request-guard.ts'

/** A test of a receiver, as it is requested. */
interface ReceiverTestRequest extends DecodedSample {
  receiver: string
  timeoutMs?: number
}

const mostAlerts = 100
/** As the history keeps it. */
const longestDetail = 2_048

const fewAlerts: Decode<DecodedSample['alerts']> = (value) => {
  const alerts = sampleFields.alerts(value)
  if (alerts !== undefined && alerts.length > mostAlerts) {
    throw new Refusal(`at most ${mostAlerts} alerts`, String(alerts.length))
  }
  return alerts
}

const testRequest = exactly<ReceiverTestRequest>({
  receiver: anyText,
  ...sampleFields,
  alerts: fewAlerts,
  timeoutMs: optional(numberFrom(0, 30_000)),
})

const decodeTest = (value: unknown): ReceiverTestRequest =>
  decodeInput('request', testRequest, value)

function shown({ result, ...rest }: TestedIntegration): object {
  if (result.outcome === 'sent') return { ...rest, result: { outcome: 'sent' } }
  const { outcome, detail } = result
  const reason = 'reason' in result ? { reason: result.reason } : {}
  return { ...rest, result: { outcome, ...reason, detail: cutText(detail, longestDetail) } }
}

/** How long a status is shown to further requests. */
const freshMs = 1_000

/** The routes below `/gatehouse/v1` for operators of the server. */
export function serverRows(alerts: AlertsContext): GuardedRow[] {
  const cache = createTimedCache<ServerStatus>(alerts.clock, 1)
  return [
    ...ownRows(alerts, 'server-status', {
      GET: requires('config:read', async () =>
        jsonLine(await cache.get('', freshMs, () => getServerStatus(alerts))),
      ),
    }),
    ...ownRows(alerts, 'receiver-tests', {
      POST: requires('receivers:test', (request, { subject }) =>
        withBody(alerts, request, async (text) => {
          const { receiver, ...sample } = decodeBody('test', text, decodeTest)
          const integrations = await testReceiver(alerts, receiver, sample)
          alerts.logger.info({ receiver, subject: subject?.id }, 'a receiver was tested')
          return jsonLine({ integrations: integrations.map(shown) })
        }),
      ),
    }),
  ]
}
