import { type Caller, nameOf } from '../../authorization/authorize.ts'
import type { Answer } from '../../http/answer.ts'
import type { AcknowledgeRequest } from '../alert/acknowledgement-input.ts'
import { acknowledge, unacknowledge } from '../alerts/acknowledge.ts'
import { listAcknowledgements } from '../alerts/list-acknowledgements.ts'
import type { AlertsContext } from '../context.ts'
import { type Endpoints, requires } from './endpoint.ts'
import { jsonLine } from './json-body.ts'
import { withOwnBody } from './own-body.ts'
import { readAcknowledgementsParameters, readUnacknowledgeParameters } from './query.ts'

/** Acknowledgements. */
export function acknowledgementEndpoints(
  alerts: AlertsContext,
): Endpoints<'getAcknowledgements' | 'postAcknowledgements' | 'deleteAcknowledgements'> {
  return {
    getAcknowledgements: requires('alerts:read', async (_, { query }) =>
      jsonLine(await listAcknowledgements(alerts, readAcknowledgementsParameters(query))),
    ),
    postAcknowledgements: requires('alerts:acknowledge', (request, info) =>
      withOwnBody(alerts, request, { of: 'postAcknowledgements' }, async (body) => {
        // If the sender has no name, the operation refuses a body without `by`.
        const given = byCaller(body, info) as AcknowledgeRequest
        return listed(await acknowledge(alerts, given))
      }),
    ),
    deleteAcknowledgements: requires('alerts:acknowledge', async (_, info) => {
      const given = byCaller(readUnacknowledgeParameters(info.query), info)
      return listed(await unacknowledge(alerts, given))
    }),
  }
}

const listed = (fingerprints: readonly string[]): Answer =>
  jsonLine({ items: fingerprints.map((fingerprint) => ({ fingerprint })) })

/** The sender of a request replaces the name in the request. */
function byCaller<T extends object>(given: T, caller: Caller): T {
  const by = nameOf(caller)
  return by === undefined ? given : { ...given, by }
}
