import type { Route } from './route.ts'

/** The route of a request. */
export interface RouteMatch<R> {
  readonly route: R
  /** Values of the route's `:name` segments, percent-decoded; a text that cannot be decoded stays as it is. */
  readonly params: Readonly<Record<string, string>>
}

/** Routes, prepared for matching. */
export interface RouteTable<R> {
  /**
   * The route for a request with this method and this path (below the mount path, not decoded, without the query). The time grows
   * only with the length of the path.
   *
   * Routes with the exact method come before routes with the method `*`; among these, a literal segment comes before a `:name`
   * and that before the final `*`, from left to right. A `:name` matches no empty segment. A route that {@link Route.serves} the
   * path comes between the two.
   */
  match(method: string, path: string): RouteMatch<R> | undefined
}

type Row = Pick<Route, 'method' | 'path' | 'serves'>

interface Ending<R> {
  readonly route: R
  readonly names: readonly string[]
}

/** One segment of the routes' paths. Every node has one depth, so a look-up visits it at most once. */
interface Node<R> {
  readonly literals: Map<string, Node<R>>
  named: Node<R> | undefined
  /** Routes that end here, by method. */
  readonly endings: Map<string, Ending<R>>
  /** Routes whose next segment is the final `*`, by method. */
  readonly rests: Map<string, Ending<R>>
}

const createNode = <R>(): Node<R> => ({
  literals: new Map(),
  named: undefined,
  endings: new Map(),
  rests: new Map(),
})

const namePattern = /^:[A-Za-z_][A-Za-z0-9_]*$/

function addRow<R extends Row>(root: Node<R>, route: R): void {
  const { method, path } = route
  const refuse = (why: string): never => {
    throw new TypeError(`the route "${method} ${path}" ${why}`)
  }
  if (!path.startsWith('/')) refuse('must start with "/"')
  if (method !== method.toUpperCase()) refuse('must have its method in upper case')
  const segments = path.split('/').slice(1)
  const names: string[] = []
  let node = root
  let rest = false
  for (const [index, segment] of segments.entries()) {
    if (segment === '*') {
      if (index !== segments.length - 1) refuse('has "*" before its end')
      rest = true
    } else if (segment.startsWith(':')) {
      const name = segment.slice(1)
      if (!namePattern.test(segment)) refuse(`has no usable name in "${segment}"`)
      if (names.includes(name)) refuse(`names "${name}" twice`)
      names.push(name)
      node.named ??= createNode()
      node = node.named
    } else {
      const next = node.literals.get(segment) ?? createNode<R>()
      node.literals.set(segment, next)
      node = next
    }
  }
  const rows = rest ? node.rests : node.endings
  if (rows.has(method)) refuse('exists twice')
  rows.set(method, { route, names })
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}

function paramsOf(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const value = decode(values[index] ?? '')
    Object.defineProperty(params, name, { value, enumerable: true })
  }
  return params
}

/** Routes of only literal segments, by method and path: each comes before all other matches, and is found at once. */
function literalRows<R extends Row>(routes: readonly R[]): Map<string, Map<string, R>> {
  const rows = new Map<string, Map<string, R>>()
  for (const route of routes) {
    const { method, path } = route
    if (method === '*' || /\/[*:]/.test(path)) continue
    const ofMethod = rows.get(method) ?? new Map<string, R>()
    rows.set(method, ofMethod.set(path, route))
  }
  return rows
}

/**
 * Prepares routes for {@link RouteTable.match}, so that every adapter matches, decodes and compares in the same way.
 *
 * @throws {TypeError} if a path is malformed, or two routes have the same method and the same path.
 */
export function createRouteTable<R extends Row>(routes: readonly R[]): RouteTable<R> {
  const root = createNode<R>()
  const changing = routes.filter(({ serves }) => serves !== undefined)
  const fixed = routes.filter(({ serves }) => serves === undefined)
  for (const route of fixed) addRow(root, route)
  const literal = literalRows(fixed)

  return {
    match(method, path) {
      const route = literal.get(method)?.get(path)
      if (route !== undefined) return { route, params: {} }
      if (!path.startsWith('/')) return undefined
      // Cuts the path during the walk, so one of a million slashes costs no more than its match.
      const walk = (
        node: Node<R>,
        start: number,
        wanted: string,
        values: readonly string[],
      ): RouteMatch<R> | undefined => {
        if (start > path.length) {
          const end = node.endings.get(wanted)
          return end && { route: end.route, params: paramsOf(end.names, values) }
        }
        const slash = path.indexOf('/', start)
        const end = slash < 0 ? path.length : slash
        const segment = path.slice(start, end)
        const literal = node.literals.get(segment)
        const found = literal && walk(literal, end + 1, wanted, values)
        if (found !== undefined) return found
        if (node.named !== undefined && segment !== '') {
          const under = walk(node.named, end + 1, wanted, [...values, segment])
          if (under !== undefined) return under
        }
        const rest = node.rests.get(wanted)
        return rest && { route: rest.route, params: paramsOf(rest.names, values) }
      }
      const serving = (): RouteMatch<R> | undefined => {
        const route = changing.find((one) => one.serves?.(path) === true)
        return route && { route, params: {} }
      }
      return walk(root, 1, method, []) ?? serving() ?? walk(root, 1, '*', [])
    },
  }
}
