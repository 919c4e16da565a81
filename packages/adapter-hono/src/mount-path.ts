/**
 * The mount path of an app whose catch-all route Hono calls `routePath` (`/sub/*`, `/of/:tenant/*`): as many segments of the path
 * as come before the `*`.
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
