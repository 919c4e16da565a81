import { type ConfigNode, parseConfigDocument } from '../../document/config-document.ts'
import { GatehouseError } from '../../errors.ts'

/**
 * The lines on which the routes of a configuration begin, depth first as in its routing tree. Empty where a text does not show its
 * routes in full, because it takes some from elsewhere by a merge key, or because a mask broke its syntax.
 */
export function routeLines(text: string): readonly number[] {
  const lines: number[] = []
  const add = (route: ConfigNode): boolean => {
    lines.push(route.line)
    if (hasMergeKey(route)) return false
    const routes = memberOf(route, 'routes')
    return routes?.kind !== 'sequence' || routes.items.every(add)
  }
  const document = parsed(text)
  const root = document && memberOf(document, 'route')
  return root !== undefined && add(root) ? lines : []
}

/**
 * Reads a configuration, and returns what finds the line on which the route begins that contains a place, given by a path such as
 * `route.routes[0].receiver`. It finds none for places in no route.
 */
export function routeFinder(text: string): (path: string) => number | undefined {
  const document = parsed(text)
  const root = document && memberOf(document, 'route')
  return (path) => {
    const [own] = /^route(?:\.routes\[\d+\])*(?=$|[.[])/.exec(path) ?? []
    if (own === undefined) return undefined
    let route = root
    for (const [, index] of own.matchAll(/\[(\d+)\]/g)) {
      const routes = route && memberOf(route, 'routes')
      route = routes?.kind === 'sequence' ? routes.items[Number(index)] : undefined
    }
    return route?.line
  }
}

function parsed(text: string): ConfigNode | undefined {
  try {
    return parseConfigDocument(text)
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error
    return undefined
  }
}

const memberOf = (node: ConfigNode, name: string): ConfigNode | undefined =>
  entriesOf(node).find(({ key }) => key.kind === 'scalar' && key.text === name)?.value

const hasMergeKey = (node: ConfigNode): boolean =>
  entriesOf(node).some(({ key }) => key.kind === 'scalar' && key.text === '<<')

const entriesOf = (node: ConfigNode) => (node.kind === 'mapping' ? node.entries : [])
