import { expect, it } from 'vitest'
import { toResponse } from './answer.ts'
import { fetchRoute } from './fetch-route.ts'
import type { RouteRequest } from './route.ts'

const info = { params: { name: 'ü' }, path: '/', mountPath: '', query: '', secure: false }

/** A request from an adapter, which is not a standard `Request`. */
const cheap = (method: string, body: string | null = null): RouteRequest => ({
  method,
  url: 'https://host.example/a?b',
  headers: new Headers({ 'x-a': '1' }),
  body: body === null ? null : new Response(body).body,
  signal: AbortSignal.abort('gone'),
  arrayBuffer: () => new Response(body).arrayBuffer(),
})

const echo = fetchRoute('*', '/:name', async (request, { params }) => {
  const { method, url, headers, signal } = request
  const seen = { method, url, header: headers.get('x-a'), reason: signal.reason, name: params.name }
  return Response.json({ ...seen, body: await request.text() })
})

it.each([
  ['GET', null],
  ['POST', 'grüße'],
  ['TRACE', null],
])('converts a %s request into a standard Request', async (method, body) => {
  const answer = toResponse(await echo.answer(cheap(method, body), info))
  expect(await answer.json()).toEqual({
    method,
    url: 'https://host.example/a?b',
    header: '1',
    reason: 'gone',
    name: 'ü',
    body: body ?? '',
  })
})

it('passes on a standard Request unchanged', async () => {
  const request = new Request('http://host/')
  const route = fetchRoute('GET', '/', (given) => new Response(`${given === request}`))
  expect(await toResponse(await route.answer(request, info)).text()).toBe('true')
})

it('answers with the status, headers and body of the Response, even with several cookies', async () => {
  const headers = new Headers({ vary: 'A' })
  for (const cookie of ['a=1', 'b=2']) headers.append('set-cookie', cookie)
  const route = fetchRoute('GET', '/', () => new Response('grüße', { status: 418, headers }))
  const answer = await route.answer(cheap('GET'), info)
  expect(answer).toMatchObject({
    status: 418,
    headers: { vary: 'A', 'set-cookie': ['a=1', 'b=2'] },
  })
  const response = toResponse(answer)
  expect([response.headers.getSetCookie(), await response.text()]).toEqual([
    ['a=1', 'b=2'],
    'grüße',
  ])
})

it('has no body if the Response has none', async () => {
  const route = fetchRoute('GET', '/', () => new Response(null, { status: 204 }))
  expect(await route.answer(cheap('GET'), info)).toEqual({
    status: 204,
    headers: {},
    body: null,
    byteLength: 0,
  })
})
