import { goQuote } from '@gatehouse/go-template/text'
import {
  type BlockTable,
  block,
  type ConfigKind,
  flag,
  isNull,
  listOf,
  optional,
  type Report,
  reportCheck,
  text,
  textMap,
  texts,
} from '@gatehouse/go-template/yaml'
import { isLabelName } from '../alert/label-set.ts'
import { duration } from '../fields/durations.ts'
import { type RateLimitConfig, rateLimit } from '../fields/rate-limit.ts'
import type { Matcher } from '../matcher/matcher.ts'
import type { RouteConfig } from '../routing/route-config.ts'
import {
  allMatchers,
  type MatcherSettings,
  matcherList,
  matchMap,
  matchRegexMap,
} from './matchers.ts'

/** A route as written. */
export interface WrittenRoute {
  readonly receiver: string
  readonly group_by?: readonly string[]
  readonly match: ReadonlyMap<string, string>
  readonly match_re: ReadonlyMap<string, string | undefined>
  readonly matchers: readonly Matcher[]
  readonly mute_time_intervals: readonly string[]
  readonly active_time_intervals: readonly string[]
  readonly continue: boolean
  readonly routes: readonly WrittenRoute[]
  /** In ms. */
  readonly group_wait?: number
  /** In ms. */
  readonly group_interval?: number
  /** In ms. */
  readonly repeat_interval?: number
  readonly labels: ReadonlyMap<string, string>
  /** Not in Alertmanager. */
  readonly resolved_after_suppression?: boolean
  /** Not in Alertmanager. */
  readonly rate_limit?: RateLimitConfig
}

const maxDepth = 100
const everyLabel = '...'

/** `route` */
export function routeKind(settings: MatcherSettings): ConfigKind<WrittenRoute> {
  let depth = 0
  const children: ConfigKind<readonly WrittenRoute[]> = {
    typeName: '[]*config.Route',
    zero: [],
    decode(place) {
      if (depth >= maxDepth) {
        reportCheck(place, `routes are nested deeper than ${maxDepth} levels`)
        return []
      }
      depth++
      const routes = listOf(node, '[]*config.Route', 'missing route').decode(place)
      depth--
      return routes
    },
    encode: (routes) => routes.map((route) => node.encode(route) ?? null),
  }
  const node = block(routeTable(settings, children))
  return node
}

function routeTable(
  settings: MatcherSettings,
  children: ConfigKind<readonly WrittenRoute[]>,
): BlockTable<WrittenRoute> {
  return {
    typeName: 'config.plain',
    fields: {
      receiver: { kind: text },
      group_by: { kind: labelNameList },
      match: { kind: matchMap },
      match_re: { kind: matchRegexMap },
      matchers: { kind: matcherList(settings) },
      mute_time_intervals: { kind: texts },
      active_time_intervals: { kind: texts },
      continue: { kind: flag, print: 'always' },
      routes: { kind: children },
      group_wait: { kind: optional(duration) },
      group_interval: { kind: optional(duration) },
      repeat_interval: { kind: optional(duration) },
      labels: { kind: textMap },
      resolved_after_suppression: { kind: optional(flag) },
      rate_limit: { kind: rateLimit },
    },
    check(route, report) {
      checkGroupBy(route.group_by ?? [], settings, report)
      if (route.group_interval === 0) report('group_interval cannot be zero', 'group_interval')
      if (route.repeat_interval === 0) report('repeat_interval cannot be zero', 'repeat_interval')
    },
  }
}

/** An explicit empty list differs from a missing one: it ends the inheritance. */
const labelNameList: ConfigKind<readonly string[] | undefined> = {
  typeName: texts.typeName,
  zero: undefined,
  decode: (place) => (isNull(place.node) ? undefined : texts.decode(place)),
  encode: (names) => names ?? [],
}

function checkGroupBy(
  names: readonly string[],
  { labelNames }: MatcherSettings,
  report: Report,
): void {
  const labels = names.filter((name) => name !== everyLabel)
  for (const name of labels) {
    if (!isLabelName(name, labelNames)) {
      report(`invalid label name ${goQuote(name)} in group_by list`, 'group_by')
    }
  }
  if (labels.length > 0 && labels.length < names.length) {
    const message = 'cannot have wildcard group_by (`...`) and other labels at the same time'
    report(message, 'group_by')
  }
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const name of labels) (seen.has(name) ? repeated : seen).add(name)
  for (const name of repeated) report(`duplicated label ${goQuote(name)} in group_by`, 'group_by')
}

/** Converts the route for the routing tree. */
export function toRouteConfig(route: WrittenRoute): RouteConfig {
  const { group_by, group_wait, group_interval, repeat_interval } = route
  const { resolved_after_suppression, rate_limit } = route
  return {
    ...(route.receiver === '' ? {} : { receiver: route.receiver }),
    ...(group_by === undefined ? {} : { group_by }),
    matchers: allMatchers(route.match, route.match_re, route.matchers),
    continue: route.continue,
    ...(group_wait === undefined ? {} : { group_wait }),
    ...(group_interval === undefined ? {} : { group_interval }),
    ...(repeat_interval === undefined ? {} : { repeat_interval }),
    mute_time_intervals: route.mute_time_intervals,
    active_time_intervals: route.active_time_intervals,
    ...(route.labels.size === 0 ? {} : { labels: route.labels }),
    ...(resolved_after_suppression === undefined ? {} : { resolved_after_suppression }),
    ...(rate_limit === undefined ? {} : { rate_limit }),
    routes: route.routes.map(toRouteConfig),
  }
}
