import { describe, expect, it } from 'vitest'
import { loadAlertsConfig } from '../config/config.ts'
import { createFixture } from '../service.fixture.ts'
import { listRoutes } from './list-routes.ts'
import { routeFinder, routeLines } from './route-lines.ts'

const text = `route:
  receiver: a
  routes:
    - receiver: b
      matchers: [team="b"]
      routes: [{ matchers: [x="1"] },
        { matchers: [x="2"] }]
    # by hand
    - receiver: a
receivers: [{ name: a }, { name: b }]
`

describe('the lines of routes', () => {
  it('are in the order of the routing tree', () => {
    expect(routeLines(text)).toEqual([2, 4, 6, 7, 9])
  })

  it('are found by a path into a route', () => {
    const find = routeFinder(text)
    const paths = ['route', 'route.receiver', 'route.routes[0].matchers[0]']
    expect(paths.map(find)).toEqual([2, 2, 4])
    expect(find('route.routes[0].routes[1].continue')).toBe(7)
    for (const path of ['', 'receivers[0].name', 'routes[0]', 'route.routes[7]']) {
      expect(find(path)).toBeUndefined()
    }
    expect(routeFinder('route: { receiver: [a }')('route')).toBeUndefined()
  })

  it('are not known of routes that come from elsewhere', () => {
    const merged = `x: &x { routes: [{ receiver: a }] }\nroute: { <<: *x, receiver: a }\n`
    expect(routeLines(merged)).toEqual([])
    expect(routeLines('')).toEqual([])
    expect(routeLines('route: { receiver: [a }')).toEqual([])
    expect(routeLines('receivers: []')).toEqual([])
  })

  it.each(['source', 'loaded'] as const)(
    'are those of the text that the status shows (%s)',
    async (statusConfig) => {
      const { alerts } = await createFixture({ config: text, statusConfig })
      const { line, routes } = await listRoutes(alerts)
      const shown = statusConfig === 'source' ? text : loadAlertsConfig(text).original
      const lines = shown.split('\n')
      expect(lines[(line ?? 0) - 1]).toBe('  receiver: a')
      expect(lines[(routes[0]?.line ?? 0) - 1]).toContain('receiver: b')
    },
  )
})
