import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRouteTable } from './route-table.ts'

const table = (...rows: string[]) =>
  createRouteTable(
    rows.map((row) => {
      const [method = '', path = ''] = row.split(' ')
      return { method, path, row }
    }),
  )

describe('createRouteTable', () => {
  it('a route matches its own method and path and nothing else', () => {
    const { match } = table('GET /alerts')
    expect(match('GET', '/alerts')?.route.row).toBe('GET /alerts')
    for (const path of ['/Alerts', '/alerts/', '/alerts/x', '/', '', 'alerts', '//alerts']) {
      expect(match('GET', path)).toBeUndefined()
    }
    for (const method of ['HEAD', 'POST', 'get', '*']) {
      expect(match(method, '/alerts')).toBeUndefined()
    }
  })

  it('a trailing slash is a segment of its own', () => {
    const { match } = table('GET /alerts/')
    expect(match('GET', '/alerts/')?.route.row).toBe('GET /alerts/')
    expect(match('GET', '/alerts')).toBeUndefined()
  })

  it('a name matches one segment that is not empty, decoded', () => {
    const { match } = table('GET /silence/:id/of/:owner')
    expect(match('GET', '/silence/a%2Fb%20%C3%BC/of/x')?.params).toEqual({
      id: 'a/b ü',
      owner: 'x',
    })
    expect(match('GET', '/silence//of/x')).toBeUndefined()
  })

  it('a segment that cannot be decoded stays as it is', () => {
    const { match } = table('GET /:id')
    expect(match('GET', '/%zz')?.params).toEqual({ id: '%zz' })
    expect(match('GET', '/%ff')?.params).toEqual({ id: '%ff' })
  })

  it('a final * matches the rest, even an empty one, but needs its slash', () => {
    const { match } = table('GET /api/*')
    for (const path of ['/api/', '/api/a', '/api/a/b/', '/api//']) {
      expect(match('GET', path)?.route.row).toBe('GET /api/*')
    }
    expect(match('GET', '/api')).toBeUndefined()
    expect(match('GET', '/apix')).toBeUndefined()
  })

  it('a route of changing paths has those that it serves now, after exact methods and before *', () => {
    const served = new Set<string>()
    const changing = { method: '*', path: '/*', row: 'own', serves: (at: string) => served.has(at) }
    const fixed = ['GET /a', '* /a', '* /*'].map((row) => {
      const [method = '', path = ''] = row.split(' ')
      return { method, path, row }
    })
    const { match } = createRouteTable<{ method: string; path: string; row: string }>([
      changing,
      ...fixed,
    ])
    const rows = () => [match('GET', '/a'), match('POST', '/a'), match('POST', '/b')]
    expect(rows().map((found) => found?.route.row)).toEqual(['GET /a', '* /a', '* /*'])
    served.add('/a').add('/b')
    expect(rows().map((found) => found?.route.row)).toEqual(['GET /a', 'own', 'own'])
    expect(createRouteTable([changing]).match('POST', '/c')).toBeUndefined()
  })

  it('literal segments come before names, and names before *', () => {
    const { match } = table('GET /*', 'GET /:a', 'GET /b', 'GET /b/:c', 'GET /:a/d')
    expect(match('GET', '/b')?.route.row).toBe('GET /b')
    expect(match('GET', '/x')?.route.row).toBe('GET /:a')
    expect(match('GET', '/x/y')?.route.row).toBe('GET /*')
    expect(match('GET', '/b/d')?.route.row).toBe('GET /b/:c')
    expect(match('GET', '/x/d')?.route.row).toBe('GET /:a/d')
    expect(match('GET', '/b/d/e')?.route.row).toBe('GET /*')
  })

  it('the method * matches only if no route with the method does', () => {
    const { match } = table('* /a/b', 'GET /a/:id', '* /*')
    expect(match('GET', '/a/b')?.route.row).toBe('GET /a/:id')
    expect(match('HEAD', '/a/b')?.route.row).toBe('* /a/b')
    expect(match('HEAD', '/a/c')?.route.row).toBe('* /*')
  })

  it('a name like __proto__ is a plain parameter', () => {
    const { match } = table('GET /:__proto__/:constructor')
    const params = match('GET', '/x/y')?.params ?? {}
    expect(Object.entries(params)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
  })

  it('refuses routes that are ambiguous or malformed', () => {
    expect(() => table('GET /a', 'GET /a')).toThrow('the route "GET /a" exists twice')
    expect(() => table('GET /:a', 'GET /:b')).toThrow('exists twice')
    expect(() => table('GET /*/a')).toThrow('has "*" before its end')
    expect(() => table('GET a')).toThrow('must start with "/"')
    expect(() => table('get /a')).toThrow('must have its method in upper case')
    expect(() => table('GET /:')).toThrow('has no usable name')
    expect(() => table('GET /:a/:a')).toThrow('names "a" twice')
  })

  it('answers for any path, and only with routes that fit it', () => {
    const { match } = table('GET /a/:b/*', 'GET /a/b', '* /')
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', '', '%', '%41', '*', ':b', '..')),
        (segments) => {
          const path = `/${segments.join('/')}`
          const row = match('GET', path)?.route.row
          const [first, second, third] = segments
          const expected =
            path === '/a/b'
              ? 'GET /a/b'
              : first === 'a' && second && third !== undefined
                ? 'GET /a/:b/*'
                : path === '/'
                  ? '* /'
                  : undefined
          expect(row).toBe(expected)
        },
      ),
    )
  })

  it('a path of a million slashes costs no more than its match', () => {
    const { match } = table('GET /:a/:b/c', 'GET /a/*')
    expect(match('GET', '/'.repeat(1_000_000))).toBeUndefined()
    expect(match('GET', `/a${'/a'.repeat(500_000)}`)?.route.row).toBe('GET /a/*')
  })
})
