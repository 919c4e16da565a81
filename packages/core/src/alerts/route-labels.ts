import { type LabelSet, labelSet } from './label-set.ts'
import type { RouteNode } from './routing-tree.ts'

const noLabels: LabelSet = new Map()

/**
 * The labels of a route, its parents' included, as far as they are plain text. One whose value is a template
 * is left out: it is rendered for a notification only.
 *
 * @see Alertmanager configuration, `route.labels`
 */
export function literalRouteLabels(route: RouteNode): LabelSet {
  if (route.labels.size === 0) return noLabels
  return labelSet([...route.labels].filter(([, value]) => !value.includes('{{')))
}
