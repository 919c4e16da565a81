/** The path of a URL, not decoded, and its query without the `?`. */
export function splitUrl(url: string): { path: string; query: string } {
  const fragment = url.indexOf('#')
  const end = fragment < 0 ? url.length : fragment
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0 || start >= end) return { path: '/', query: '' }
  const mark = url.indexOf('?', start)
  if (mark < 0 || mark >= end) return { path: url.slice(start, end), query: '' }
  return { path: url.slice(start, mark), query: url.slice(mark + 1, end) }
}

/**
 * Where an app stands whose catch-all route Hono calls `routePath` (`/sub/*`, `/of/:tenant/*`): as many
 * segments of the path as stand before the `*`.
 */
export function mountPathOf(routePath: string, path: string): string {
  const segments = routePath.split('/').length - 2
  let end = 0
  for (let index = 0; index < segments; index++) {
    const slash = path.indexOf('/', end + 1)
    if (slash < 0) return path
    end = slash
  }
  return path.slice(0, end)
}
