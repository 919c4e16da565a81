import { describe, expect, it } from 'vitest'
import { configured } from './configured.fixture.ts'
import { testPorts } from './delivery.fixture.ts'
import { integrationTypes, kindsInOrder, notifierOf } from './integrations.ts'

describe('the kinds of receivers', () => {
  it('notify in the order of Alertmanager', () => {
    expect(integrationTypes.slice(0, 4)).toEqual(['webhook', 'email', 'pagerduty', 'opsgenie'])
  })

  it.each(['run', 'check', 'print'] as const)('have unique positions in the order %s', (order) => {
    const places = kindsInOrder(order).flatMap((kind) => kind.order?.[order] ?? [])
    expect(places).toEqual(places.map((_, index) => index + 1))
  })

  it('create a notifier of their type', () => {
    const integration = configured('discord', { webhook_url: 'http://127.0.0.1/' })
    expect(notifierOf(integration, testPorts()).name).toBe('discord')
  })
})
