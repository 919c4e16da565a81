import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { labelSet, labelSetFromObject, labelSetToObject } from '../alert/label-set.ts'
import { compareMatchers } from '../matcher/matcher.ts'
import { parseMatchers } from '../matcher/matcher-syntax.ts'
import { groupKey } from './group-key.ts'
import type { RouteConfig } from './route-config.ts'
import { buildRoutingTree, groupLabels, routesFor } from './routing-tree.ts'

interface Vector {
  labels: Record<string, string>
  groupLabels: Record<string, string>
  groupKey: string
  follow?: { groupKey: string }
}

const url = new URL('../../../vectors/alerts/group-keys.json', import.meta.url)
const vectors: Vector[] = JSON.parse(readFileSync(url, 'utf8')).cases

function route(
  groupBy: string[] | undefined,
  matchers: string[],
  routes: RouteConfig[],
): RouteConfig {
  return {
    ...(groupBy && { group_by: groupBy }),
    matchers: matchers.flatMap((text) => parseMatchers(text, 'fallback')).sort(compareMatchers),
    continue: false,
    mute_time_intervals: [],
    active_time_intervals: [],
    routes,
  }
}

// The configuration in the vectors, written there as YAML.
const tree = buildRoutingTree({
  ...route(
    ['...'],
    [],
    [
      route(['kind'], ['kind="x"', 'v=~"a|\\"b\\""'], []),
      route(['deep'], ['deep="1"'], [route(undefined, ['deeper=~".+"', 'a!="b"'], [])]),
    ],
  ),
  receiver: 'r',
}) // prettier-ignore

it.each(vectors)('$labels', ({ labels, groupLabels: expectedLabels, groupKey: key, follow }) => {
  const set = labelSetFromObject(labels)
  const [node, ...others] = routesFor(tree, set)
  if (node === undefined) throw new Error('no route')
  expect(others).toEqual([])
  const group = groupLabels(node, set)
  expect(labelSetToObject(group)).toEqual(expectedLabels)
  expect(groupKey(node, group)).toBe(follow?.groupKey ?? key)
})

it('does not depend on the order of the labels', () => {
  const pairs = fc.uniqueArray(fc.tuple(fc.string(), fc.string()), {
    selector: ([name]) => name,
    maxLength: 6,
  })
  fc.assert(
    fc.property(pairs, (list) => {
      const forwards = groupKey(tree.root, labelSet(list))
      expect(groupKey(tree.root, labelSet(list.toReversed()))).toBe(forwards)
    }),
  )
})
