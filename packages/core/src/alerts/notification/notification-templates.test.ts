import { expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createNotification } from './create-notification.ts'
import type { Notification, NotifiedAlert } from './notification.ts'
import { createNotificationTemplates } from './notification-templates.ts'

const alert = (instance: string, summary: string): NotifiedAlert => ({
  status: 'firing',
  labels: { alertname: 'QueueFull', app: 'shop', instance },
  annotations: { summary, description: `see ${instance}` },
  startsAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  endsAt: undefined,
  generatorURL: '',
  fingerprint: '0123456789abcdef',
})

/** A notification about some alerts, with the templates of these files. */
function notificationOf(alerts: readonly NotifiedAlert[], text = ''): Notification {
  const files = text === '' ? [] : [{ name: 'own.tmpl', text }]
  const templates = createNotificationTemplates(files, createManualClock())
  const content = {
    groupKey: '{}:{app="shop"}',
    receiver: 'team',
    reason: 'first notification',
    alerts,
    groupLabels: { app: 'shop', alertname: 'QueueFull' },
    routeLabels: {},
    externalURL: 'http://alerts.test',
    now: 0,
    kept: {},
  } as const
  return createNotification(content, templates.renderer)
}

// Each test is a use from the examples in Alertmanager's documentation.

it('group labels build the link to a page', () => {
  const { text } = notificationOf([alert('a', 'full')])
  expect(text('https://wiki.test/{{ .GroupLabels.app }}/{{ .GroupLabels.alertname }}')).toBe(
    'https://wiki.test/shop/QueueFull',
  )
})

it('shared annotations appear in a message, others are empty', () => {
  const { text } = notificationOf([alert('a', 'full'), alert('b', 'full')])
  const template =
    'what: {{ .CommonAnnotations.summary }}\nmore: {{ .CommonAnnotations.description }}'
  expect(text(template)).toBe('what: full\nmore: ')
})

it('alerts are listed one by one', () => {
  const { text } = notificationOf([alert('a', 'full'), alert('b', 'slow')])
  expect(
    text('{{ range .Alerts }}{{ .Annotations.summary }}: {{ .Labels.instance }}\n{{ end }}'),
  ).toBe('full: a\nslow: b\n')
})

it('a file defines a template for configurations, and overrides a default template', () => {
  const { text, html } = notificationOf(
    [alert('a', '<b>')],
    `{{ define "own.page" }}/{{ .GroupLabels.app }}{{ end }}
     {{ define "__subject" }}{{ .Status | toUpper }} {{ template "own.page" . }}{{ end }}`,
  )
  expect(text('{{ template "own.page" . }}')).toBe('/shop')
  expect(text('{{ template "slack.default.title" . }}')).toBe('FIRING /shop')
  expect(html('<p>{{ (index .Alerts 0).Annotations.summary }}</p>')).toBe('<p>&lt;b&gt;</p>')
})
