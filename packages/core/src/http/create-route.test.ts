import { expect, it } from 'vitest'
import type { Answer } from './answer.ts'
import { createRoute } from './create-route.ts'

const info = { params: {}, path: '/', mountPath: '', query: '', secure: false }

async function handled(answer: Answer): Promise<Response> {
  const route = createRoute({ method: 'GET', path: '/', answer: async () => answer })
  return route.handle(new Request('http://localhost/'), info)
}

it('answers with a Response what it answers without one', async () => {
  const headers = { 'content-type': 'text/x' }
  const response = await handled({ status: 418, headers, body: 'grüße', byteLength: 7 })
  expect(response.status).toBe(418)
  expect([...response.headers]).toEqual([['content-type', 'text/x']])
  expect(await response.text()).toBe('grüße')
})

it('sets a header as often as it is listed, and no other beside', async () => {
  const headers = { 'content-type': 'text/x', 'set-cookie': ['a=1', 'b=2'] }
  const response = await handled({ status: 200, headers, body: 'x', byteLength: 1 })
  expect([...response.headers]).toEqual([
    ['content-type', 'text/x'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ])
})

it('has a body where a status lets none through only if it was given one', async () => {
  const response = await handled({ status: 204, headers: {}, body: null, byteLength: 0 })
  expect([response.status, response.body]).toEqual([204, null])
})
