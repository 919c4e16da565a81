import { type Caller, nameOf } from '../../authorization/authorize.ts'
import { acknowledge, unacknowledge } from '../acknowledge.ts'
import type { AcknowledgeRequest } from '../alert/acknowledgement-input.ts'
import type { AlertsContext } from '../context.ts'
import { listAcknowledgements } from '../list-acknowledgements.ts'
import { decodeBody } from './decode-body.ts'
import { jsonLine, withBody } from './json-body.ts'
import { ownRows, requires } from './operation.ts'
import { readAcknowledgementsParameters, readUnacknowledgeParameters } from './query.ts'
import type { GuardedRow } from './request-guard.ts'

/** The routes of acknowledgements below `/gatehouse/v1`. */
export function acknowledgementRows(alerts: AlertsContext): GuardedRow[] {
  return ownRows(alerts, 'acknowledgements', {
    GET: requires('alerts:read', async (_, { query }) =>
      jsonLine(await listAcknowledgements(alerts, readAcknowledgementsParameters(query))),
    ),
    POST: requires('alerts:acknowledge', (request, info) =>
      withBody(alerts, request, async (text) => {
        // The operation checks the types of all members.
        const posted = decodeBody('acknowledgement', text, (value) => value as AcknowledgeRequest)
        return jsonLine({ fingerprints: await acknowledge(alerts, byCaller(posted, info)) })
      }),
    ),
    DELETE: requires('alerts:acknowledge', async (_, info) => {
      const given = byCaller(readUnacknowledgeParameters(info.query), info)
      return jsonLine({ fingerprints: await unacknowledge(alerts, given) })
    }),
  })
}

/** The sender of a request replaces whoever the request names. */
function byCaller<T extends object>(given: T, caller: Caller): T {
  const by = nameOf(caller)
  return by === undefined ? given : { ...given, by }
}
