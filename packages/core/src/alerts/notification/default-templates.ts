import type { Source } from '@gatehouse/go-template'
import { emailAlertList, emailTemplate } from './default-templates-email.ts'

/** The definition of a template. */
const define = (name: string, body: string): string => `{{ define "${name}" }}${body}{{ end }}\n`

/** Definitions of several templates with the same body. */
const defineAll = (names: readonly string[], body: string): string =>
  names.map((name) => define(name, body)).join('')

const subject = '{{ template "__subject" . }}'
const url = '{{ template "__alertmanagerURL" . }}'
const program = '{{ template "__alertmanager" . }}'
const annotations = '{{ join " " .CommonAnnotations.SortedPairs.Values }}'
const color = '{{ if eq .Status "firing" }}danger{{ else }}good{{ end }}'
const titleAndLink = `${subject} | ${url}`

/**
 * The state in capitals, the number of firing alerts, the values of the group labels, and in parentheses the values of the other
 * common labels. The blank before the parentheses is always there.
 */
const subjectBody =
  '[{{ toUpper .Status }}{{ if eq .Status "firing" }}:{{ len .Alerts.Firing }}{{ end }}]' +
  ' {{ join " " .GroupLabels.SortedPairs.Values }} ' +
  '{{ if gt (len .CommonLabels) (len .GroupLabels) }}' +
  '({{ join " " (.CommonLabels.Remove .GroupLabels.Names).Values }}){{ end }}'

/** Labels, annotations and source of each alert, with `bullet` before the pairs and `gap` between the parts. */
const alertList = (bullet: string, gap: string): string => `{{ range . }}${gap}Labels:
{{ range .Labels.SortedPairs }}${bullet}{{ .Name }} = {{ .Value }}
{{ end }}${gap}Annotations:
{{ range .Annotations.SortedPairs }}${bullet}{{ .Name }} = {{ .Value }}
{{ end }}${gap}Source: {{ .GeneratorURL }}
{{ end }}${gap}`

/** The alerts of one state, if any: a heading and their list. */
const alertsOf = (
  state: 'Firing' | 'Resolved',
  before: string,
  list: string,
  after: string,
): string =>
  `{{ with .Alerts.${state} }}${before}Alerts ${state}:\n{{ template "${list}" . }}${after}{{ end }}`

const plainList = '__text_alert_list'
const markdownList = '__text_alert_list_markdown'

/** Annotations and alerts without empty lines. */
const denseBody = `${annotations}
${alertsOf('Firing', '', plainList, '')}
${alertsOf('Resolved', '', plainList, '')}`

/** Alerts with an empty line before each heading and after each list. */
const airyBody = (heading: string, list: string): string => `
${alertsOf('Firing', `\n${heading}`, list, '\n')}
${alertsOf('Resolved', `\n${heading}`, list, '\n')}
`

const plainBody = airyBody('', plainList)
const markdownBody = airyBody('# ', markdownList)

/** The highest severity of the firing alerts, or of all alerts if none fires, as Jira's names for the three usual severities. */
const jiraPriority = `{{ $alerts := .Alerts.Firing }}{{ if not $alerts }}{{ $alerts = .Alerts.Resolved }}{{ end -}}
{{- $level := 0 -}}
{{- range $alerts -}}
{{- $severity := .Labels.severity -}}
{{- if eq $severity "critical" }}{{ $level = 3 -}}
{{- else if and (eq $severity "warning") (lt $level 2) }}{{ $level = 2 -}}
{{- else if and (eq $severity "info") (lt $level 1) }}{{ $level = 1 }}{{ end -}}
{{- end -}}
{{- if eq $level 3 }}High{{ else if eq $level 2 }}Medium{{ else if eq $level 1 }}Low{{ end }}`

/**
 * The default templates of receivers. Their names are API: template files override them.
 *
 * @see Alertmanager documentation, "Notification template reference"
 */
export const defaultTemplates: Source = {
  name: 'default.tmpl',
  text: [
    define('__alertmanager', 'Alertmanager'),
    define('__alertmanagerURL', '{{ .ExternalURL }}/#/alerts?receiver={{ .Receiver | urlquery }}'),
    define('__description', ''),
    define('__subject', subjectBody),
    define(plainList, alertList(' - ', '')),
    define(markdownList, alertList('  - ', '\n')),
    defineAll(
      [
        'slack.default.title',
        'pagerduty.default.description',
        'opsgenie.default.message',
        'victorops.default.entity_display_name',
        'pushover.default.title',
        'sns.default.subject',
        'discord.default.title',
        'msteams.default.title',
        'msteams.default.summary',
        'msteamsv2.default.title',
        'jira.default.summary',
        'mattermost.default.title',
        'rocketchat.default.title',
        'email.default.subject',
      ],
      subject,
    ),
    defineAll(
      [
        'slack.default.titlelink',
        'pagerduty.default.clientURL',
        'opsgenie.default.source',
        'pushover.default.url',
        'mattermost.default.titlelink',
        'rocketchat.default.titlelink',
      ],
      url,
    ),
    defineAll(
      [
        'slack.default.username',
        'pagerduty.default.client',
        'victorops.default.monitoring_tool',
        'mattermost.default.username',
        'rocketchat.default.alias',
      ],
      program,
    ),
    defineAll(
      [
        'slack.default.callbackid',
        'slack.default.pretext',
        'slack.default.iconemoji',
        'slack.default.iconurl',
        'slack.default.text',
        'slack.default.footer',
        'wechat.default.to_user',
        'wechat.default.to_party',
        'wechat.default.to_tag',
        'wechat.default.agent_id',
        'discord.default.content',
        'rocketchat.default.emoji',
        'rocketchat.default.iconurl',
        'rocketchat.default.text',
      ],
      '',
    ),
    defineAll(['slack.default.fallback', 'mattermost.default.fallback'], titleAndLink),
    defineAll(['slack.default.color', 'mattermost.default.color'], color),
    define('pagerduty.default.instances', `{{ template "${plainList}" . }}`),
    defineAll(['opsgenie.default.description', 'victorops.default.state_message'], denseBody),
    define('wechat.default.message', `${subject}\n${denseBody}\nAlertmanagerUrl:\n${url}`),
    defineAll(
      ['pushover.default.message', 'sns.default.message', 'webex.default.message'],
      `${annotations}${plainBody}`,
    ),
    defineAll(['telegram.default.message', 'discord.default.message'], plainBody),
    defineAll(
      [
        'msteams.default.text',
        'msteamsv2.default.text',
        'jira.default.description',
        'mattermost.default.text',
      ],
      markdownBody,
    ),
    define('jira.default.priority', jiraPriority),
    define('__email_alert_list', emailAlertList),
    define('email.default.html', emailTemplate),
  ].join(''),
}
