import type { Alert, AlertGroup } from '@gatehouse/client'

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

/**
 * Adds the alerts of other servers to groups with the same labels and receiver, or in groups of their own. An alert that several
 * servers have is there once: as this server has it, else as the first one that has it.
 */
export function mergeServers(
  own: readonly AlertGroup[],
  others: readonly ServerGroups[],
): readonly AlertGroup[] {
  const placed = placesOf(others)
  if (placed.size === 0) return own
  const here = new Set(own.flatMap(({ alerts }) => alerts.map(({ fingerprint }) => fingerprint)))
  const marked = (alert: Alert): ShownAlert => {
    const servers = placed.get(alert.fingerprint)
    if (servers === undefined) return alert
    return here.has(alert.fingerprint)
      ? { ...alert, servers }
      : { ...alert, servers, isElsewhere: true }
  }
  const merged = new Map<string, AlertGroup & { readonly alerts: ShownAlert[] }>()
  const keys: string[] = []
  for (const [index, group] of own.entries()) {
    // Routes may have groups with the same key; each of its own stays.
    const key = keyOf(group)
    const place = merged.has(key) ? `${key} ${index}` : key
    keys.push(place)
    merged.set(place, { ...group, alerts: group.alerts.map(marked) })
  }
  const seen = new Set<string>()
  for (const { groups } of others) {
    for (const group of groups) {
      const key = keyOf(group)
      for (const alert of group.alerts) {
        const id = `${key} ${alert.fingerprint}`
        if (here.has(alert.fingerprint) || seen.has(id)) continue
        seen.add(id)
        const place = merged.get(key) ?? { ...group, alerts: [] }
        place.alerts.push(marked(alert))
        merged.set(key, place)
      }
    }
  }
  return [...merged.values()]
}

/** Which servers have an alert, by its fingerprint: Alertmanagers and Gatehouses compute it the same way. */
function placesOf(others: readonly ServerGroups[]): ReadonlyMap<string, readonly string[]> {
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
  return places
}

const keyOf = ({ receiver, labels }: AlertGroup): string =>
  JSON.stringify([receiver.name, Object.entries(labels).sort()])
