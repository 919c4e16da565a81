import { sha256Hex } from '../../crypto/crypto.ts'
import { goQuote } from '../../go/quote.ts'
import type { LabelSet } from '../alert/label-set.ts'
import type { RouteNode } from './routing-tree.ts'

/**
 * The key of an alert group, such as `{}/{team="a"}:{alertname="Down", job="x"}`: the notification log and the receivers identify
 * the group by it. Routes with the same matchers share it.
 *
 * @see Alertmanager documentation, "Notification template reference", `groupKey` of the webhook body
 */
export function groupKey(node: RouteNode, groupLabels: LabelSet): string {
  const pairs = Array.from(groupLabels, ([name, value]) => `${name}=${goQuote(value)}`)
  return `${node.key}:{${pairs.join(', ')}}`
}

/** The SHA-256 of a group key in hex. */
export const groupHash = (groupKey: string): string => sha256Hex(groupKey)
