import type { Alert, AlertGroup } from '@gatehouse/client'
import { remember } from './remember.ts'

/** An alert of a list that may have alerts of other servers. */
export interface ShownAlert extends Alert {
  /** The other servers that have it. */
  readonly servers?: readonly string[]
  /** Whether this server does not have it: then nothing can be done about it here. */
  readonly isElsewhere?: true
}

/** The alerts of another server. */
export interface ServerGroups {
  readonly name: string
  readonly groups: readonly AlertGroup[]
}

/** Whether this server has an alert. */
export const isHere = ({ isElsewhere }: ShownAlert): boolean => isElsewhere !== true

/** The alerts of the other servers. */
interface Elsewhere {
  /** Their names and groups. A change replaces the groups of its server. */
  readonly of: readonly unknown[]
  /** Which servers have an alert, by its fingerprint: Alertmanagers and Gatehouses compute it the same way. */
  readonly places: ReadonlyMap<string, readonly string[]>
  /** Each alert once in a group, as the first server has it that has it. */
  readonly groups: ReadonlyMap<
    string,
    { readonly group: AlertGroup; readonly alerts: ShownAlert[] }
  >
}

/** A group with alerts of others, and what it was made from. */
interface Joined {
  readonly places: Elsewhere['places']
  readonly added: readonly ShownAlert[]
  readonly group: AlertGroup
}

type Merge = (own: readonly AlertGroup[], others: readonly ServerGroups[]) => readonly AlertGroup[]

const none: readonly never[] = []

/**
 * Creates what adds the alerts of other servers to groups with the same labels and receiver, or in groups of their own. An alert
 * that several servers have is there once: as this server has it, else as the first one that has it.
 *
 * Every change of an alert merges 10,000 of them again. Groups and alerts without a change stay the same objects, so that neither
 * this nor what comes after it looks at them again.
 */
export function createMerger(): Merge {
  const mark = createMark()
  const joined = new WeakMap<AlertGroup, Joined>()
  let elsewhere: Elsewhere = { of: none, places: new Map(), groups: new Map() }
  let last: { readonly own: readonly AlertGroup[]; readonly merged: readonly AlertGroup[] }

  const join = (group: AlertGroup, own: readonly Alert[], added: readonly ShownAlert[]) => {
    const { places } = elsewhere
    const before = joined.get(group)
    if (before?.places === places && isSame(before.added, added)) return before.group
    const alerts = [...own.map((alert) => mark(alert, places.get(alert.fingerprint))), ...added]
    const isKept = before !== undefined && isSame(before.group.alerts, alerts)
    const after = isKept ? before.group : { ...group, alerts }
    joined.set(group, { places, added, group: after })
    return after
  }

  const merge = (own: readonly AlertGroup[]): readonly AlertGroup[] => {
    const added = strangersOf(elsewhere, own)
    const merged = own.map((group) => {
      // Routes may have groups with the same key: each stays, and the first gets the alerts of others.
      const key = keyOf(group)
      const more = added.get(key) ?? none
      added.delete(key)
      return join(group, group.alerts, more)
    })
    for (const [key, more] of added) {
      const { group } = elsewhere.groups.get(key) ?? {}
      if (group !== undefined) merged.push(join(group, none, more))
    }
    return merged
  }

  return (own, others) => {
    const of = others.flatMap(({ name, groups }) => [name, groups])
    const isUnchanged = isSame(elsewhere.of, of)
    if (!isUnchanged) elsewhere = readElsewhere(of, others, mark)
    if (elsewhere.places.size === 0) return own
    if (!isUnchanged || last?.own !== own) last = { own, merged: merge(own) }
    return last.merged
  }
}

/** The alerts that only others have, by group. */
function strangersOf(
  { groups }: Elsewhere,
  own: readonly AlertGroup[],
): Map<string, readonly ShownAlert[]> {
  const here = new Set<string>()
  for (const { alerts } of own) for (const { fingerprint } of alerts) here.add(fingerprint)
  const found = new Map<string, readonly ShownAlert[]>()
  for (const [key, { alerts }] of groups) {
    const strangers = alerts.filter(({ fingerprint }) => !here.has(fingerprint))
    if (strangers.length > 0) found.set(key, strangers)
  }
  return found
}

type Mark = (alert: Alert, servers: readonly string[] | undefined, isElsewhere?: true) => ShownAlert

/** Creates what marks alerts. One that is marked the same way again is the same object. */
function createMark(): Mark {
  const marked = new WeakMap<Alert, ShownAlert>()
  return (alert, servers, isElsewhere) => {
    if (servers === undefined) return alert
    const before = marked.get(alert)
    if (before?.servers !== undefined && isSame(before.servers, servers)) return before
    const after = { ...alert, servers, ...(isElsewhere && { isElsewhere }) }
    marked.set(alert, after)
    return after
  }
}

function readElsewhere(
  of: Elsewhere['of'],
  others: readonly ServerGroups[],
  mark: Mark,
): Elsewhere {
  const places = new Map<string, string[]>()
  for (const { name, groups } of others) {
    for (const { alerts } of groups) {
      for (const { fingerprint } of alerts) {
        const servers = places.get(fingerprint)
        if (servers === undefined) places.set(fingerprint, [name])
        else if (!servers.includes(name)) servers.push(name)
      }
    }
  }
  const found = new Map<string, { readonly group: AlertGroup; readonly alerts: ShownAlert[] }>()
  const seen = new Map<string, Set<string>>()
  for (const { groups } of others) {
    for (const group of groups) {
      const key = keyOf(group)
      const place = found.get(key) ?? { group, alerts: [] }
      const ids = seen.get(key) ?? new Set()
      found.set(key, place)
      seen.set(key, ids)
      for (const alert of group.alerts) {
        if (ids.has(alert.fingerprint)) continue
        ids.add(alert.fingerprint)
        place.alerts.push(mark(alert, places.get(alert.fingerprint), true))
      }
    }
  }
  return { of, places, groups: found }
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a === b || (a.length === b.length && a.every((one, index) => one === b[index]))

/** The receiver and the labels of a group, in whatever order its server has them. */
const keyOf = remember(({ receiver, labels }: AlertGroup): string =>
  JSON.stringify([receiver.name, Object.entries(labels).sort()]),
)
