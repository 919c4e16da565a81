import { decodeInput } from '../../input/decode.ts'
import type { Acknowledgement } from '../alert/acknowledgement.ts'
import {
  type AcknowledgeRequest,
  acknowledgeRequest,
  type UnacknowledgeRequest,
  unacknowledgeRequest,
} from '../alert/acknowledgement-input.ts'
import type { AlertsContext } from '../context.ts'
import { invalidAcknowledgement } from '../errors.ts'
import { changeAcknowledgements } from './change-acknowledgements.ts'

/**
 * Acknowledges a firing alert, or all alerts that fire in a group now, silenced and inhibited ones too. While all firing alerts of a
 * group are acknowledged, notifications are not repeated. An alert that joins the group is notified, and so are resolved alerts.
 * The acknowledgement ends at its instant, or when the alert resolves. It replaces an earlier one.
 *
 * @returns the fingerprints of the alerts.
 * @throws {GatehouseError} `InvalidInput`; `InvalidAcknowledgement` if it ends in the past; `AlertNotFound` if the alert does not
 * fire; `AlertGroupNotFound` if no alert fires in the group.
 * @example
 * await acknowledge(alerts, {
 *   labels: { alertname: 'DiskFull', instance: 'db-1' },
 *   by: 'maya',
 *   comment: 'a larger disk is on its way',
 *   until: Date.now() + 8 * 3_600_000,
 * })
 */
export async function acknowledge(
  alerts: AlertsContext,
  request: AcknowledgeRequest,
): Promise<readonly string[]> {
  const decoded = decodeInput('request', acknowledgeRequest, request)
  const { by, comment = '', until, ...target } = decoded
  if (until !== undefined && until <= alerts.clock.now()) {
    throw invalidAcknowledgement('until must be in the future')
  }
  return changeAcknowledgements(alerts, target, {
    to: (since): Acknowledgement =>
      until === undefined ? { by, comment, since } : { by, comment, since, until },
    by,
  })
}

/**
 * Takes the acknowledgement of a firing alert, or of all alerts that fire in a group, back: notifications are repeated again.
 *
 * @returns the fingerprints of the alerts that were acknowledged; it may be empty.
 * @throws {GatehouseError} `InvalidInput`; `AlertNotFound` if the alert does not fire; `AlertGroupNotFound` if no alert fires in
 * the group.
 */
export async function unacknowledge(
  alerts: AlertsContext,
  request: UnacknowledgeRequest,
): Promise<readonly string[]> {
  const { by, ...target } = decodeInput('request', unacknowledgeRequest, request)
  return changeAcknowledgements(alerts, target, { to: () => undefined, by })
}
