import { expect, it } from 'vitest'
import { createFixture } from '../service.fixture.ts'
import type { NotifiersInCode } from './create-receivers.ts'
import type { Notifier } from './notifier.ts'

const notifier: Notifier = { name: 'test', notify: async () => ({ outcome: 'sent' }) }

const config = `
route: { receiver: both }
receivers:
- name: both
  webhook_configs: [ { url: 'http://h/', send_resolved: false }, { url: 'http://h/' } ]
- name: quiet
  webhook_configs: [ { url: 'http://h/', send_resolved: false } ]
- name: constructor
`

/** The integrations of a receiver, and whether each sends resolved alerts. */
function integrations(notifiers: NotifiersInCode, receiver: string): readonly unknown[] {
  const { alerts } = createFixture({ config, notifiers })
  const ready = alerts.receiversOf(alerts.config.current).integrations(receiver)
  return ready.map(({ key, sendResolved }) => [key, sendResolved])
}

it('adds notifiers to the integrations of a receiver, with resolved alerts', () => {
  const notifiers = { quiet: [notifier, notifier] }
  expect(integrations(notifiers, 'quiet')).toEqual([
    ['webhook/0', false],
    ['code:test/0', true],
    ['code:test/1', true],
  ])
  expect(integrations(notifiers, 'constructor')).toEqual([])
})

it('replaces all integrations by the notifiers of a function, with resolved alerts if one integration sends them', () => {
  const notifiers = (receiver: string): Notifier[] => (receiver === 'nobody' ? [] : [notifier])
  expect(integrations(notifiers, 'both')).toEqual([['code:test/0', true]])
  expect(integrations(notifiers, 'quiet')).toEqual([['code:test/0', false]])
  expect(integrations(notifiers, 'constructor')).toEqual([['code:test/0', true]])
  expect(integrations(notifiers, 'nobody')).toEqual([])
})
