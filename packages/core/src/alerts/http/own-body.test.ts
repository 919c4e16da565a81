import { expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { createFixture } from '../service.fixture.ts'

const matchers = [{ name: 'a', value: 'b', isRegex: false }]
const days = [{ weekdays: ['monday:friday'] }]

it.each([
  ['silence-preview', {}, 'matchers: required; expected a list'],
  ['silence-preview', { matchers: [] }, 'matchers: expected a list of at least 1, got one of 0'],
  ['silence-preview', { matchers: [{ name: 'a', value: 'b' }] }, 'matchers[0].isRegex: required'],
  ['silence-preview', { matchers, historyMs: 0.5 }, 'historyMs: expected a whole number'],
  ['silence-preview', { matchers, historyMs: -1 }, 'historyMs: expected a whole number of at'],
  ['recurring-silences', { matchers, timeIntervals: days, comment: 1 }, 'createdBy: required'],
  ['recurrence-preview', {}, 'timeIntervals: required; expected a list'],
  [
    'recurrence-preview',
    { timeIntervals: [{ weekdays: ['noday'] }] },
    'timeIntervals[0].weekdays[0]: expected a valid entry',
  ],
  ['recurrence-preview', { timeIntervals: days, x: 1 }, 'x: expected no such key, got an unknown'],
  ['silence-extensions', { silenceId: 5 }, 'silenceId: expected a string, got a number'],
  ['silence-extensions', { silenceId: 'a', endsAt: 5 }, 'endsAt: expected a string, got a number'],
  ['silence-extensions', { silenceId: 'a', endsAt: 'x' }, 'endsAt: expected an instant'],
  ['acknowledgements', { fingerprint: 'a' }, 'by: required; expected a string'],
  ['acknowledgements', { by: 'maya' }, 'body: expected one of fingerprint, labels and groupKey'],
  ['acknowledgements', { by: 'maya', labels: { a: 1 } }, 'labels.a: expected a string'],
  ['explain', { labels: {}, lables: {} }, 'lables: expected \\"labels\\", got an unknown key'],
  ['config-preview', { config: {} }, 'config: expected a string, got an object'],
  ['receiver-tests', {}, 'receiver: required; expected a string'],
  ['receiver-tests', { receiver: 'a', alerts: [] }, 'alerts: expected at least one alert'],
  [
    'receiver-tests',
    { receiver: 'a', alerts: Array(101).fill({}) },
    'alerts: expected a list of at most 100, got one of 101',
  ],
  [
    'receiver-tests',
    { receiver: 'a', alerts: [{ status: 'odd' }] },
    'alerts[0].status: expected \\"firing\\" or \\"resolved\\", got \\"odd\\"',
  ],
  ['receiver-tests', { receiver: 'a', timeoutMs: 30_001 }, 'timeoutMs: expected a number of at'],
])('%s says of %j what it expected', async (name, body, message) => {
  const { routes } = createFixture().alerts
  const response = await fetchHandler(routes)(
    new Request(`http://host/gatehouse/v1/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
  const text = await response.text()
  expect([response.status, text]).toEqual([400, expect.stringContaining(message)])
  expect(JSON.parse(text)).toMatchObject({ reason: 'InvalidInput' })
})
