import { formatMatcher, type LabelSet, type ListedRoute, readMatchers } from '@gatehouse/client'

/** Whether a route is one that an alert takes, or a parent of one. */
export function isOnPath(route: Pick<ListedRoute, 'id'>, taken: readonly string[]): boolean {
  return taken.some((id) => id === route.id || id.startsWith(`${route.id}/`))
}

/** Firing alerts at a route and at the routes below. */
export function alertsBelow({ counts, routes }: Pick<ListedRoute, 'counts' | 'routes'>): number {
  return routes.reduce((sum, route) => sum + alertsBelow(route), counts.alerts)
}

/** The routes whose receiver or matchers have a word, in any case, with the routes above them; by their ids. */
export function findRoutes(root: ListedRoute, word: string): ReadonlySet<string> {
  const wanted = word.trim().toLowerCase()
  const found = new Set<string>()
  const look = (route: ListedRoute): boolean => {
    const isBelow = route.routes.map(look).includes(true)
    const has = [route.receiver, ...route.matchers].some((text) =>
      text.toLowerCase().includes(wanted),
    )
    if (has || isBelow) found.add(route.id)
    return has || isBelow
  }
  look(root)
  return found
}

/** The ids of the routes that have routes below. */
export const routesWithRoutes = ({ id, routes }: ListedRoute): readonly string[] =>
  routes.length === 0 ? [] : [id, ...routes.flatMap(routesWithRoutes)]

/** Labels written as matchers such as `alertname="DiskFull", team="db"`; `undefined` if they are not only equalities. */
export function labelsOf(text: string): LabelSet | undefined {
  const { matchers } = readMatchers(text)
  if (matchers === undefined) return undefined
  if (matchers.some(({ isRegex, isEqual }) => isRegex || !isEqual)) return undefined
  return Object.fromEntries(matchers.map(({ name, value }) => [name, value]))
}

/** The matchers that name exactly these labels. */
export const textOf = (labels: LabelSet): string =>
  Object.entries(labels)
    .map(([name, value]) => formatMatcher({ name, value, isRegex: false, isEqual: true }))
    .join(', ')
