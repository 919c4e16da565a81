import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../crypto/crypto.ts'
import { resolvedAlert, sampleAlert, sampleAlerts } from '../receivers/notifier.fixture.ts'
import { createNotification, type NotificationContent } from './create-notification.ts'
import type { Notification } from './notification.ts'

const content: NotificationContent = {
  groupKey: '{}:{alertname="DiskFull"}',
  receiver: 'all',
  reason: 'first notification',
  alerts: sampleAlerts,
  groupLabels: { alertname: 'DiskFull' },
  routeLabels: { team: 'a' },
  externalURL: 'http://am.example.org',
  now: 5,
  kept: { ts: '1' },
}

const plain = (text: string) => ({ text: () => text, html: () => text })
const create = (given: Partial<NotificationContent> = {}): Notification =>
  createNotification({ ...content, ...given }, () => plain(''))

describe('createNotification', () => {
  it('keeps its content', () => {
    expect(create()).toMatchObject(content)
    expect(create().groupHash).toBe(sha256Hex(content.groupKey))
  })

  it('is firing while any of its alerts is', () => {
    const [first = sampleAlert(), second = sampleAlert()] = sampleAlerts
    const statusOf = (...alerts: NotificationContent['alerts']): string => create({ alerts }).status
    expect(statusOf(first, resolvedAlert(second))).toBe('firing')
    expect(statusOf(resolvedAlert(first), resolvedAlert(second))).toBe('resolved')
  })

  it('has the common labels and annotations of all its alerts', () => {
    const notification = create()
    expect(notification.commonLabels).toEqual({ alertname: 'DiskFull', severity: 'critical' })
    expect(notification.commonAnnotations).toEqual({ summary: 'Disk <full> & "hot"' })
  })

  it('sorts common names by byte order, whatever they are', () => {
    const odd = { é: '1', z: '2', A: '3', ['__proto__']: '4' }
    const { commonLabels } = create({
      alerts: [sampleAlert({ labels: odd }), sampleAlert({ labels: odd })],
    })
    expect(Object.entries(commonLabels)).toEqual(
      Object.entries(odd).sort(([a], [b]) => (a < b ? -1 : 1)),
    )
    const inherited = [{ constructor: 'x' }, {}, { toString: 'y' }].map((labels) =>
      sampleAlert({ labels: labels as Readonly<Record<string, string>> }),
    )
    expect(create({ alerts: inherited }).commonLabels).toEqual({})
  })

  it('creates its renderer for the first template, once', () => {
    const made: Notification[] = []
    const notification = createNotification(content, (given) => {
      made.push(given)
      return { text: (template) => `text ${template}`, html: (template) => `html ${template}` }
    })
    expect(made).toEqual([])
    expect([notification.text('a'), notification.html('b')]).toEqual(['text a', 'html b'])
    expect(made).toEqual([notification])
  })

  it('renders with detached methods', () => {
    const { text } = createNotification(content, () => plain('rendered'))
    expect(text('')).toBe('rendered')
  })

  it('cannot be changed', () => {
    expect(Object.isFrozen(create())).toBe(true)
  })

  it('needs at least one alert', () => {
    expect(() => create({ alerts: [] })).toThrow(RangeError)
  })
})

describe('first', () => {
  it('returns a notification about the first alerts, with their status, common pairs and templates', () => {
    const [a = sampleAlert(), b = sampleAlert()] = sampleAlerts
    const notification = createNotification(
      { ...content, alerts: [resolvedAlert(a), b] },
      (given) => plain(`${given.alerts.length} ${given.status}`),
    )
    const first = notification.first(1)
    expect(first.alerts).toEqual([resolvedAlert(a)])
    expect(first.status).toBe('resolved')
    expect(first.commonLabels).toEqual(a.labels)
    expect([notification.text(''), first.text('')]).toEqual(['2 firing', '1 resolved'])
  })

  it('returns the notification itself if it has no more alerts', () => {
    const notification = create()
    expect(notification.first(2)).toBe(notification)
    expect(notification.first(100)).toBe(notification)
  })

  it.each([0, -1, Number.NaN])('refuses %d', (count) => {
    expect(() => create().first(count)).toThrow(RangeError)
  })
})
