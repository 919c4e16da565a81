import { goQuote, goUnquote } from '@gatehouse/go-template/text'
import { memoize } from '../../async/memoize.ts'
import { sha256Hex } from '../../crypto/crypto.ts'
import type { Labels } from '../alert/alert.ts'
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

/** The matchers of the routes, up to the first colon outside of quotes. */
const routesOfKey = /^(?:[^":]|"(?:[^"\\]|\\.)*")*:\{/s
const pairOfKey = /([^=]+)=("(?:[^"\\]|\\.)*")(?:, |\}$)/sy

const readLabels = memoize((key: string): { readonly labels?: Labels } => {
  const start = routesOfKey.exec(key)?.[0].length
  if (start === undefined) return {}
  if (key.slice(start) === '}') return { labels: {} }
  const pairs: [name: string, value: string][] = []
  for (pairOfKey.lastIndex = start; pairOfKey.lastIndex < key.length; ) {
    const [, name, literal = ''] = pairOfKey.exec(key) ?? []
    const value = goUnquote(literal)
    if (name === undefined || value === undefined) return {}
    pairs.push([name, value])
  }
  return { labels: Object.fromEntries(pairs) }
}, 500)

/** The group labels in a {@link groupKey}; `undefined` if the key is cut off. */
export const labelsOfGroupKey = (key: string): Labels | undefined => readLabels(key).labels
