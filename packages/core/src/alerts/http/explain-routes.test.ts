import { expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { createFixture } from '../service.fixture.ts'

it.each([
  ['{}', 'labels: required; expected an object of strings'],
  ['{"labels":null}', 'labels: expected an object of strings, got null'],
  ['{"labels":{"a":1}}', 'labels.a: expected a string, got a number'],
  ['[]', 'body: expected an object, got a list'],
  ['{"label":{}}', 'labels: required; expected an object of strings'],
])('explain says of %s what it expected', async (body, message) => {
  const { routes } = createFixture().alerts
  const headers = { 'content-type': 'application/json' }
  const url = 'http://host/gatehouse/v1/explain'
  const response = await fetchHandler(routes)(new Request(url, { method: 'POST', headers, body }))
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(message)
})
