import { gunzipSync } from 'node:zlib'
import { fetchHandler } from '@gatehouse/core'
import { describe, expect, it } from 'vitest'
import { consoleRoutes } from '../src/index.ts'

const serve = fetchHandler(consoleRoutes({ alerts: {}, paths: { alerts: '../am/' } }))

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  Promise.resolve(serve(new Request(`http://localhost${path}`, init)))

describe('the routes of the console', () => {
  it('serve the page with a strict policy and the places of the services', async () => {
    const response = await get('/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self';/)
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
    const html = await response.text()
    expect(html).toContain('content="{&quot;alerts&quot;:&quot;../am/&quot;}"')
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=/)
  })

  it('write the label of severities into the page, as text', async () => {
    const label = 'a"><script>'
    const routes = fetchHandler(consoleRoutes({ severityLabel: label }))
    const html = await (await routes(new Request('http://localhost/'))).text()
    expect(html).toContain('name="gatehouse-severity-label" content="a&quot;>&lt;script>"')
  })

  it('answer 304 to a browser that has the page already', async () => {
    const etag = (await get('/')).headers.get('etag') ?? ''
    const again = await get('/', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect((await get('/', { headers: { 'if-none-match': '"old"' } })).status).toBe(200)
  })

  it('serve assets for ever, compressed for those who accept it', async () => {
    const html = await (await get('/')).text()
    const asset = /src="\.(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
    const plain = await get(asset)
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const packed = await get(asset, { headers: { 'accept-encoding': 'gzip, br;q=0' } })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('vary')).toBe('Accept-Encoding')
    const unpacked = gunzipSync(await packed.arrayBuffer()).toString()
    expect(unpacked === (await plain.text())).toBe(true)
    const head = await get(asset, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it.each([
    '/assets/nothing.js',
    '/assets/..%2Findex.html',
    '/assets/..%2F..%2Findex.js',
    '/assets/%2Fetc%2Fpasswd',
    '/favicon.svg.gz',
    '/index.html',
  ])('have no file at %s', async (path) => {
    expect((await get(path)).status).toBe(404)
  })

  it('redirect to the slash that relative addresses need', async () => {
    const below = fetchHandler(consoleRoutes({ basePath: '/console' }))
    expect((await below(new Request('http://localhost/console/'))).status).toBe(200)
    const redirected = await below(new Request('http://localhost/console?x=1'))
    expect(redirected.status).toBe(308)
    expect(redirected.headers.get('location')).toBe('console/?x=1')
  })
})
