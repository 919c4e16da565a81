import type { Labels } from './alert.ts'
import { readReceiverMatchers, receiversMatching } from './alert-query.ts'
import type { AlertsContext } from './context.ts'
import { labelSet, labelSetToObject } from './label-set.ts'

/** A receiver of the configuration. @see Alertmanager API v2, `receiver` */
export interface GettableReceiver {
  name: string
  /** The receiver's labels; `name` is always among them. */
  labels: Labels
}

/** Which receivers to list. */
export interface ReceiversQuery {
  /** Matchers in their text form for the receiver's labels. */
  receiverMatchers?: readonly string[]
}

/**
 * All receivers of the configuration, in its order, also those that no route uses.
 *
 * @throws {GatehouseError} `InvalidReceiverMatchers`.
 * @see Alertmanager API v2, `GET /receivers`
 */
export function listReceivers(
  alerts: AlertsContext,
  query: ReceiversQuery = {},
): GettableReceiver[] {
  const config = alerts.config.current
  const matchers = readReceiverMatchers(query.receiverMatchers ?? [], alerts.options.matcherMode)
  const wanted = receiversMatching(config, matchers)
  return config.receivers
    .filter(({ name }) => wanted.has(name))
    .map(({ name, labels }) => ({ name, labels: labelSetToObject(labelSet(labels)) }))
}
