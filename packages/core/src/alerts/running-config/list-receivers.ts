import { inSlices } from '../../async/slices.ts'
import { anyText, decodeInput, exactly, listOf, optional } from '../../input/decode.ts'
import type { Labels } from '../alert/alert.ts'
import { labelSet, labelSetToObject } from '../alert/label-set.ts'
import { readReceiverMatchers, receiversMatching } from '../board/alert-query.ts'
import type { AlertsContext } from '../context.ts'

/** A receiver of the configuration. @see Alertmanager API v2, `receiver` */
export interface GettableReceiver {
  name: string
  /** The receiver's labels; always includes `name`. */
  labels: Labels
}

/** Which receivers to list. */
export interface ReceiversQuery {
  /** Matchers in their text form for the receiver's labels. */
  receiverMatchers?: readonly string[]
}

const receiversQuery = exactly<ReceiversQuery>({ receiverMatchers: optional(listOf(anyText)) })

/**
 * Lists all receivers of the configuration, in its order, including those that no route uses.
 *
 * @throws {GatehouseError} `InvalidInput`, `TooManyFilters`, `InvalidReceiverMatchers`.
 * @see Alertmanager API v2, `GET /receivers`
 */
export async function listReceivers(
  alerts: AlertsContext,
  query: ReceiversQuery = {},
): Promise<GettableReceiver[]> {
  return chosenReceivers(alerts, decodeInput('query', receiversQuery, query))
}

/** {@link listReceivers} for a query whose types were checked. */
export async function chosenReceivers(
  alerts: AlertsContext,
  query: ReceiversQuery,
): Promise<GettableReceiver[]> {
  const config = alerts.config.current
  const { receiverMatchers = [] } = query
  const matchers = await inSlices(readReceiverMatchers(receiverMatchers, alerts.options))
  const wanted = await inSlices(receiversMatching(config, matchers))
  return config.receivers
    .filter(({ name }) => wanted.has(name))
    .map(({ name, labels }) => ({ name, labels: labelSetToObject(labelSet(labels)) }))
}
