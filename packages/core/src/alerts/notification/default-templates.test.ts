import {
  libraryFunctions,
  parseHtmlTemplates,
  parseTemplates,
  renderTemplate,
} from '@gatehouse/go-template'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { defaultTemplates } from './default-templates.ts'
import type { NotifiedAlert } from './notification.ts'
import { type TemplateFacts, templateData } from './template-data.ts'

const set = parseTemplates([defaultTemplates], {
  functions: libraryFunctions(createManualClock(0)),
  missingKey: 'zero',
})

const alert = (status: 'firing' | 'resolved', severity: string): NotifiedAlert => ({
  status,
  labels: { alertname: 'Down', severity },
  annotations: { summary: 'It <is> down' },
  startsAt: 0,
  endsAt: status === 'firing' ? undefined : 1,
  generatorURL: 'http://prom/?a=1',
  fingerprint: '00',
})

const facts: TemplateFacts = {
  receiver: 'team',
  reason: 'first notification',
  status: 'firing',
  alerts: [alert('firing', 'info'), alert('resolved', 'critical')],
  groupLabels: { alertname: 'Down' },
  commonLabels: { alertname: 'Down', job: 'api' },
  commonAnnotations: { runbook: 'rb', team: 'a' },
  routeLabels: {},
  externalURL: 'http://am',
}

const render = (name: string, changes: Partial<TemplateFacts> = {}): string =>
  renderTemplate(set, name, { data: templateData({ ...facts, ...changes }) })

const subject = '[FIRING:1] Down (api)'
const url = 'http://am/#/alerts?receiver=team'

const plain = (severity: string): string =>
  `Labels:\n - alertname = Down\n - severity = ${severity}\n` +
  'Annotations:\n - summary = It <is> down\nSource: http://prom/?a=1\n'
const markdown = (severity: string): string =>
  `\nLabels:\n  - alertname = Down\n  - severity = ${severity}\n` +
  '\nAnnotations:\n  - summary = It <is> down\n\nSource: http://prom/?a=1\n\n'

describe('the default templates', () => {
  it('leave the group labels out of the second part of a subject', () => {
    expect(render('__subject')).toBe(subject)
    expect(render('__subject', { commonLabels: { alertname: 'Down' } })).toBe('[FIRING:1] Down ')
    expect(render('__subject', { status: 'resolved', alerts: [alert('resolved', 'x')] })).toBe(
      '[RESOLVED] Down (api)',
    )
  })

  it('name the receiver in a link', () => {
    expect(render('__alertmanagerURL', { receiver: 'a b.c' })).toBe(
      'http://am/#/alerts?receiver=a+b%5C.c',
    )
  })

  it.each([
    ['slack.default.title', subject],
    ['slack.default.fallback', `${subject} | ${url}`],
    ['slack.default.color', 'danger'],
    ['slack.default.username', 'Alertmanager'],
    ['slack.default.footer', ''],
    ['msteams.default.summary', subject],
    ['mattermost.default.fallback', `${subject} | ${url}`],
    ['rocketchat.default.alias', 'Alertmanager'],
    ['rocketchat.default.text', ''],
    [
      'opsgenie.default.description',
      `rb a\nAlerts Firing:\n${plain('info')}\nAlerts Resolved:\n${plain('critical')}`,
    ],
    [
      'sns.default.message',
      `rb a\n\nAlerts Firing:\n${plain('info')}\n\n\nAlerts Resolved:\n${plain('critical')}\n\n`,
    ],
    [
      'telegram.default.message',
      `\n\nAlerts Firing:\n${plain('info')}\n\n\nAlerts Resolved:\n${plain('critical')}\n\n`,
    ],
    [
      'wechat.default.message',
      `${subject}\nrb a\nAlerts Firing:\n${plain('info')}\nAlerts Resolved:\n${plain('critical')}\nAlertmanagerUrl:\n${url}`,
    ],
    [
      'msteamsv2.default.text',
      `\n\n# Alerts Firing:\n${markdown('info')}\n\n\n# Alerts Resolved:\n${markdown('critical')}\n\n`,
    ],
    [
      'jira.default.description',
      `\n\n# Alerts Firing:\n${markdown('info')}\n\n\n# Alerts Resolved:\n${markdown('critical')}\n\n`,
    ],
  ])('render %s', (name, expected) => expect(render(name)).toBe(expected))

  it.each<[NotifiedAlert[], string]>([
    [[alert('firing', 'info'), alert('firing', 'critical'), alert('firing', 'warning')], 'High'],
    [[alert('firing', 'warning'), alert('resolved', 'critical')], 'Medium'],
    [[alert('resolved', 'info')], 'Low'],
    [[alert('resolved', 'critical')], 'High'],
    [[alert('firing', 'page')], ''],
  ])('render the highest priority for Jira: %#', (alerts, priority) => {
    expect(render('jira.default.priority', { alerts })).toBe(priority)
  })

  it('put the subject into the title of an email, and list every alert', () => {
    const mail = render('email.default.html')
    expect(mail).toContain(`<title>${subject}</title>`)
    expect(mail).toContain('2 alerts for alertname=Down: firing')
    expect(mail).toContain(`<a href="${url}"`)
    expect(mail.match(/<strong>alertname<\/strong> = Down<br>/g)).toHaveLength(2)
    expect(mail).toContain('<strong>severity</strong> = critical<br>')
    expect(mail.match(/<a href="http:\/\/prom\/\?a=1"[^>]*>Source<\/a>/g)).toHaveLength(2)
    expect(mail).toContain('>Sent by Alertmanager</a>')
    expect(mail.match(/<t[dr]\b/g)?.length).toBe(mail.match(/<\/t[dr]>/g)?.length)
  })

  it('escape all values of alerts in an email', () => {
    const html = parseHtmlTemplates([defaultTemplates], {
      functions: libraryFunctions(createManualClock(0)),
      missingKey: 'zero',
    })
    const hostile: NotifiedAlert = {
      ...alert('firing', '</td><script>x()</script>'),
      generatorURL: 'javascript:x()',
    }
    const data = templateData({ ...facts, alerts: [hostile], externalURL: 'http://am"onclick="x' })
    const mail = renderTemplate(html, 'email.default.html', { data })
    expect(mail).toContain(
      '<strong>severity</strong> = &lt;/td&gt;&lt;script&gt;x()&lt;/script&gt;<br>',
    )
    expect(mail).not.toMatch(/<script|javascript:|"onclick/)
  })

  it('let a template file override their parts', () => {
    const text =
      '{{ define "__subject" }}Own{{ end }}{{ define "__text_alert_list" }}{{ len . }}{{ end }}'
    const changed = parseTemplates([defaultTemplates, { name: 'own.tmpl', text }], {
      functions: libraryFunctions(createManualClock(0)),
      missingKey: 'zero',
    })
    const data = templateData(facts)
    expect(renderTemplate(changed, 'slack.default.title', { data })).toBe('Own')
    expect(renderTemplate(changed, 'opsgenie.default.description', { data })).toBe(
      'rb a\nAlerts Firing:\n1\nAlerts Resolved:\n1',
    )
  })
})
