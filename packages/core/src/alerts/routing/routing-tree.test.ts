import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labelSetFromObject } from '../alert/label-set.ts'
import { matchesAll } from '../matcher/matcher.ts'
import { parseMatchers } from '../matcher/matcher-syntax.ts'
import type { RouteConfig } from './route-config.ts'
import { buildRoutingTree, groupLabels, type RouteNode, routesFor } from './routing-tree.ts'

/** A decoded route with the matchers from this text. */
function route(matchers: string, rest: Partial<RouteConfig> = {}): RouteConfig {
  return {
    matchers: parseMatchers(matchers, 'fallback'),
    continue: false,
    mute_time_intervals: [],
    active_time_intervals: [],
    routes: [],
    ...rest,
  }
}

function receiversFor(config: RouteConfig, labels: Record<string, string>): string[] {
  return routesFor(buildRoutingTree(config), labelSetFromObject(labels)).map(
    (node) => node.receiver,
  )
}

describe('the options of a route', () => {
  const tree = buildRoutingTree(
    route('', {
      receiver: 'root',
      group_by: ['alertname'],
      repeat_interval: 1_000,
      labels: new Map([
        ['team', 'all'],
        ['__proto__', 'x'],
      ]), // prettier-ignore
      routes: [
        route('a="1"', {
          receiver: 'one',
          group_by: [],
          group_wait: 0,
          mute_time_intervals: ['night'],
          labels: new Map([['team', 'one']]),
          routes: [route('b="2"'), route('b="3"', { group_by: ['...'], continue: true })],
        }),
        route('a="2"', { active_time_intervals: ['day'], group_interval: 7 }),
      ],
    }),
  )

  it('have defaults', () => {
    expect(buildRoutingTree(route('', { receiver: 'r' })).root).toEqual({
      index: 0,
      key: '{}',
      id: '{}',
      receiver: 'r',
      groupBy: new Set(),
      groupWaitMs: 30_000,
      groupIntervalMs: 300_000,
      repeatIntervalMs: 14_400_000,
      resolvedAfterSuppression: false,
      matchers: [],
      continue: false,
      muteTimeIntervals: [],
      activeTimeIntervals: [],
      labels: new Map(),
      children: [],
    })
  })

  it('are inherited, except the time intervals; an empty group_by is a value', () => {
    const options = tree.nodes.map((node) => [
      node.receiver,
      node.groupBy === 'all' ? 'all' : [...node.groupBy],
      node.groupWaitMs,
      node.groupIntervalMs,
      node.repeatIntervalMs,
      node.muteTimeIntervals,
      node.activeTimeIntervals,
      node.labels.get('team'),
      node.labels.get('__proto__'),
    ])
    expect(options).toEqual([
      ['root', ['alertname'], 30_000, 300_000, 1_000, [], [], 'all', 'x'],
      ['one', [], 0, 300_000, 1_000, ['night'], [], 'one', 'x'],
      ['one', [], 0, 300_000, 1_000, [], [], 'one', 'x'],
      ['one', 'all', 0, 300_000, 1_000, [], [], 'one', 'x'],
      ['root', ['alertname'], 30_000, 7, 1_000, [], ['day'], 'all', 'x'],
    ])
  })

  it('inherit whether the end of suppressed alerts is sent, until a route says otherwise', () => {
    const leaf = route('a=b')
    const root = route('', {
      receiver: 'r',
      resolved_after_suppression: true,
      routes: [leaf, route('a=c', { resolved_after_suppression: false, routes: [leaf] })],
    })
    const { nodes } = buildRoutingTree(root)
    expect(nodes.map((node) => node.resolvedAfterSuppression)).toEqual([true, true, false, false])
  })

  it('share a rate limit with the child routes that inherit it', () => {
    const leaf = route('a=b')
    const rate_limit = { notifications: 2, per: 1_000 }
    const root = route('', {
      receiver: 'r',
      routes: [leaf, route('a=c', { rate_limit, routes: [leaf] })],
    })
    const { nodes } = buildRoutingTree(root)
    const limit = { route: '{}/{a="c"}/1', key: '{}/{a="c"}', ...rate_limit }
    expect(nodes.map((node) => node.rateLimit)).toEqual([undefined, undefined, limit, limit])
  })

  it('are at the index of the route, depth first, with its keys and its family', () => {
    expect(tree.nodes.map(({ index, key, id }) => [index, key, id])).toEqual([
      [0, '{}', '{}'],
      [1, '{}/{a="1"}', '{}/{a="1"}/0'],
      [2, '{}/{a="1"}/{b="2"}', '{}/{a="1"}/0/{b="2"}/0'],
      [3, '{}/{a="1"}/{b="3"}', '{}/{a="1"}/0/{b="3"}/1'],
      [4, '{}/{a="2"}', '{}/{a="2"}/1'],
    ])
    for (const node of tree.nodes)
      for (const child of node.children) expect(child.parent).toBe(node)
    expect(tree.root).toBe(tree.nodes[0])
    expect(tree.root.parent).toBeUndefined()
  })

  it('of identical siblings have the same key and different ids', () => {
    const twins = buildRoutingTree(
      route('', { receiver: 'r', routes: [route('a=b'), route('a=b')] }),
    )
    const [, first, second] = twins.nodes
    expect(first?.key).toBe(second?.key)
    expect(first?.id).not.toBe(second?.id)
  })

  it('are refused without a receiver at the root', () => {
    expect(() => buildRoutingTree(route(''))).toThrow(TypeError)
  })
})

describe('the routes of an alert', () => {
  const config = route('', {
    receiver: 'root',
    routes: [
      route('team="a"', { receiver: 'a', continue: true }),
      route('team=~"a|b"', {
        receiver: 'b',
        routes: [route('deep="1"', { receiver: 'b1' }), route('deep=~".+"', { receiver: 'b2' })],
      }),
      route('team="a"', { receiver: 'never' }),
      route('team="",constructor=""', { receiver: 'none' }),
    ],
  })

  it.each([
    [{ team: 'a' }, ['a', 'b']],
    [{ team: 'b' }, ['b']],
    [{ team: 'a', deep: '1' }, ['a', 'b1']],
    [{ team: 'b', deep: '2' }, ['b2']],
    [{ team: 'c' }, ['root']],
    [{}, ['none']],
    [{ constructor: 'x' }, ['root']],
  ])('%j take %j', (labels, receivers) => {
    expect(receiversFor(config, { ...labels } as Record<string, string>)).toEqual(receivers)
  })

  const values = ['x', 'y', ''] as const
  const labels = fc.record({ a: fc.constantFrom(...values), b: fc.constantFrom(...values) })
  const routeOfDepth = fc.memo(
    (depth): fc.Arbitrary<RouteConfig> =>
      fc
        .tuple(
          fc.constantFrom('', 'a="x"', 'a!="x"', 'b=~"x|y"', 'b="x",a="x"'),
          fc.boolean(),
          depth > 1 ? fc.array(routeOfDepth(depth - 1), { maxLength: 3 }) : fc.constant([]),
        )
        .map(([matchers, goesOn, routes]): RouteConfig => {
          return route(matchers, { continue: goesOn, routes })
        }),
  )
  const anyRoute: fc.Arbitrary<RouteConfig> = routeOfDepth(4)
  const anyTree = anyRoute.map((config) =>
    buildRoutingTree({ ...config, matchers: [], receiver: 'root' }),
  )

  it('are in the order of the file, at least one, and each has matching ancestors', () => {
    fc.assert(
      fc.property(anyTree, labels, (tree, alert) => {
        const set = labelSetFromObject(alert)
        const found = routesFor(tree, set)
        expect(found.length).toBeGreaterThan(0)
        const indexes = found.map((node) => node.index)
        expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b))
        for (const leaf of found) {
          for (let node: RouteNode | undefined = leaf; node; node = node.parent) {
            expect(matchesAll(node.matchers, set)).toBe(true)
          }
          expect(leaf.children.some((child) => matchesAll(child.matchers, set))).toBe(false)
        }
      }),
    )
  })

  it('without continue, are those of the first matching child', () => {
    fc.assert(
      fc.property(anyTree, labels, (tree, alert) => {
        const set = labelSetFromObject(alert)
        const found = new Set<RouteNode>()
        for (const leaf of routesFor(tree, set)) {
          for (let node: RouteNode | undefined = leaf; node; node = node.parent) found.add(node)
        }
        for (const node of found) {
          const matching = node.children.filter((child) => matchesAll(child.matchers, set))
          const last = matching.findIndex((child) => !child.continue)
          const expected = last < 0 ? matching : matching.slice(0, last + 1)
          expect(node.children.filter((child) => found.has(child))).toEqual(expected)
        }
      }),
    )
  })

  it('can only become more with continue', () => {
    const goingOn = (config: RouteConfig): RouteConfig => ({
      ...config,
      continue: true,
      routes: config.routes.map(goingOn),
    })
    fc.assert(
      fc.property(anyRoute, labels, (config, alert) => {
        const set = labelSetFromObject(alert)
        const root = { ...config, matchers: [], receiver: 'root' }
        const before = routesFor(buildRoutingTree(root), set).map((node) => node.id)
        const after = routesFor(buildRoutingTree(goingOn(root)), set).map((node) => node.id)
        expect(after).toEqual(expect.arrayContaining(before))
      }),
    )
  })
})

it('the group labels are the group_by labels that the alert has', () => {
  const [root, all, none] = buildRoutingTree(
    route('', {
      receiver: 'r',
      group_by: ['b', 'toString', 'a'],
      routes: [route('', { group_by: ['...'] }), route('', { group_by: [] })],
    }),
  ).nodes
  if (root === undefined || all === undefined || none === undefined) throw new Error('no tree')
  const labels = labelSetFromObject({ c: '3', b: '2', a: '1' })
  expect([...groupLabels(root, labels)]).toEqual([
    ['a', '1'],
    ['b', '2'],
  ]) // prettier-ignore
  expect([...groupLabels(all, labels)]).toEqual([...labels])
  expect([...groupLabels(none, labels)]).toEqual([])
})
