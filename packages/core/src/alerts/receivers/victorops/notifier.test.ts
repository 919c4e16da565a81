import { describe, expect, it } from 'vitest'
import { deliver, describeDelivery, testPorts } from '../delivery.fixture.ts'
import type { SampleOptions } from '../notifier.fixture.ts'
import { victorops } from './notifier.ts'

describeDelivery({
  kind: victorops,
  settings: (url) => ({ api_url: url, api_key: 'vk ?1', routing_key: 'team' }),
  secrets: ['vk ?1', 'vk%20%3F1'],
  recorded: { firing: ['victorops'], resolved: ['victorops'] },
})

async function sent(given: object, notification: SampleOptions = {}) {
  const { requests } = await deliver({
    kind: victorops,
    settings: (url) => ({ api_url: url, api_key: 'vk', routing_key: 'team', ...given }),
    portsFor: () => testPorts({ readFile: async (path) => `content of ${path}\n` }),
    notification,
  })
  const { path, body } = requests[0] ?? { path: '', body: '{}' }
  return { path, event: JSON.parse(body) }
}

describe('the message type', () => {
  it.each([
    { message_type: 'INFO', expected: 'INFO' },
    { message_type: '{{ "WARNING" }}', expected: 'WARNING' },
    { message_type: 'CRITICAL', expected: 'CRITICAL' },
    { message_type: 'critical', expected: 'CRITICAL' },
    { message_type: 'ACKNOWLEDGEMENT', expected: 'CRITICAL' },
    { message_type: 'RECOVERY', expected: 'CRITICAL' },
  ])('is $expected for $message_type while the group fires', async ({ message_type, expected }) => {
    const { event } = await sent({ message_type })
    expect(event).toMatchObject({ message_type: expected })
  })

  it('is RECOVERY once the group is resolved, whatever is configured', async () => {
    const { event } = await sent({ message_type: 'INFO' }, { resolved: true })
    expect(event).toMatchObject({ message_type: 'RECOVERY' })
  })
})

it('routes by a template, which can only extend the path', async () => {
  const { path } = await sent({ routing_key: '{{ .CommonLabels.severity }}/a b?c#d%2Fä' })
  expect(path).toBe('/vk/critical/a%20b%3Fc%23d%252F%C3%A4')
})

it('reads the key from a file, trimmed', async () => {
  const { path } = await sent({ api_key: undefined, api_key_file: '/k' })
  expect(path).toBe('/content%20of%20/k/team')
})

it('sends custom fields, sorted among the others', async () => {
  const custom_fields = { z: '{{ .Status }}', Env: 'prod', __proto__x: '1' }
  const { event } = await sent({ custom_fields })
  expect(Object.keys(event)).toEqual([
    'Env',
    '__proto__x',
    'entity_display_name',
    'entity_id',
    'message_type',
    'monitoring_tool',
    'state_message',
    'z',
  ])
  expect(event).toMatchObject({ Env: 'prod', z: 'firing' })
})

it('truncates a state message that is too long', async () => {
  const { event } = await sent({ state_message: 'x'.repeat(20_481) })
  expect(event).toMatchObject({ state_message: `${'x'.repeat(20_479)}…` })
})
