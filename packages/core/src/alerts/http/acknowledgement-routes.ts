import { acknowledge, unacknowledge } from '../acknowledge.ts'
import type { AcknowledgeRequest } from '../alert/acknowledgement-input.ts'
import type { AlertsContext } from '../context.ts'
import { listAcknowledgements } from '../list-acknowledgements.ts'
import { decodeBody } from './decode-body.ts'
import { jsonLine, withBody } from './json-body.ts'
import { ownRows } from './operation.ts'
import { readAcknowledgementsParameters, readUnacknowledgeParameters } from './query.ts'
import type { GuardedRow } from './request-guard.ts'

/** The routes of acknowledgements below `/gatehouse/v1`. */
export function acknowledgementRows(alerts: AlertsContext): GuardedRow[] {
  return ownRows(alerts, 'acknowledgements', {
    GET: async (_, { query }) =>
      jsonLine(await listAcknowledgements(alerts, readAcknowledgementsParameters(query))),
    POST: (request) =>
      withBody(alerts, request, async (text) => {
        // The operation checks the types of all members.
        const posted = decodeBody('acknowledgement', text, (value) => value as AcknowledgeRequest)
        return jsonLine({ fingerprints: await acknowledge(alerts, posted) })
      }),
    DELETE: async (_, { query }) =>
      jsonLine({ fingerprints: await unacknowledge(alerts, readUnacknowledgeParameters(query)) }),
  })
}
