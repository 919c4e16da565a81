import { libraryFunctions, parseTemplates, renderText } from '@gatehouse/go-template'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import type { NotifiedAlert } from './notification.ts'
import { type TemplateFacts, templateData } from './template-data.ts'

const set = parseTemplates([], {
  functions: libraryFunctions(createManualClock(0)),
  missingKey: 'zero',
})

const alert = (changes: Partial<NotifiedAlert>): NotifiedAlert => ({
  status: 'firing',
  labels: { alertname: 'Down', Job: 'api' },
  annotations: {},
  startsAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  endsAt: undefined,
  generatorURL: 'http://prom/',
  fingerprint: '00',
  ...changes,
})

const facts: TemplateFacts = {
  receiver: 'team.x (a|b)',
  reason: 'new alerts added',
  status: 'firing',
  alerts: [alert({}), alert({ status: 'resolved', endsAt: Date.UTC(2026, 0, 2, 4) })],
  groupLabels: { alertname: 'Down' },
  commonLabels: { z: '1', alertname: 'Down', Job: 'api' },
  commonAnnotations: {},
  routeLabels: { team: 'a' },
  externalURL: 'http://am',
}

const render = (text: string, changes: Partial<TemplateFacts> = {}): string =>
  renderText(set, text, { data: templateData({ ...facts, ...changes }) })

describe('templateData()', () => {
  it('has the receiver as a regular expression', () => {
    expect(render('{{ .Receiver }}')).toBe('team\\.x \\(a\\|b\\)')
  })

  it('has the values that concern all alerts', () => {
    expect(
      render('{{ .Status }}|{{ .NotificationReason }}|{{ .RouteLabels.team }}|{{ .ExternalURL }}'),
    ).toBe('firing|new alerts added|a|http://am')
  })

  it('separates the alerts by their status', () => {
    expect(render('{{ len .Alerts }} {{ len .Alerts.Firing }} {{ len .Alerts.Resolved }}')).toBe(
      '2 1 1',
    )
    expect(() => render('{{ .Alerts.Firing.Firing }}')).toThrow(
      "can't evaluate field Firing in type []template.Alert",
    )
  })

  it('shows who acknowledged an alert, and nothing for another', () => {
    const since = Date.UTC(2026, 0, 2, 3)
    const acknowledgement = { by: 'maya', comment: 'on it', since, until: since + 3_600_000 }
    const alerts = [alert({}), alert({ acknowledgement })]
    const text =
      '{{ len .Alerts.Acknowledged }}{{ range .Alerts }} {{ with .Acknowledgement }}{{ .By }}: {{ .Comment }}, {{ .Since.Hour }}-{{ .Until.Hour }}{{ else }}nobody{{ end }}{{ end }}'
    expect(render(text, { alerts })).toBe('1 nobody maya: on it, 3-4')
  })

  it('prints an alert that nobody acknowledged as Alertmanager does', () => {
    const text = '{{ range .Alerts }}{{ . }}{{ toJson . }}{{ end }}'
    expect(render(text, { alerts: [alert({})] })).toBe(
      '{firing alertname=Down, Job=api  2026-01-02 03:04:05.006 +0000 UTC 0001-01-01 00:00:00 +0000 UTC http://prom/ 00}' +
        '{"status":"firing","labels":{"Job":"api","alertname":"Down"},"annotations":{},"startsAt":"2026-01-02T03:04:05.006Z","endsAt":"0001-01-01T00:00:00Z","generatorURL":"http://prom/","fingerprint":"00"}',
    )
  })

  it('has no end for a firing alert', () => {
    expect(
      render('{{ range .Alerts }}{{ .StartsAt }}|{{ .EndsAt }}|{{ .EndsAt.IsZero }};{{ end }}'),
    ).toBe(
      '2026-01-02 03:04:05.006 +0000 UTC|0001-01-01 00:00:00 +0000 UTC|true;' +
        '2026-01-02 03:04:05.006 +0000 UTC|2026-01-02 04:00:00 +0000 UTC|false;',
    )
  })

  it('keeps the original offset and fraction of a time', () => {
    const exact = alert({ startsAtText: '2026-01-02T05:04:05.006007008+02:00' })
    expect(
      render('{{ (index .Alerts 0).StartsAt }}|{{ toJson (index .Alerts 0).StartsAt }}', {
        alerts: [exact],
      }),
    ).toBe('2026-01-02 05:04:05.006007008 +0200 +0200|"2026-01-02T05:04:05.006007008+02:00"')
  })

  it('sorts alertname before other labels, which follow in byte order', () => {
    expect(
      render(
        '{{ .CommonLabels }}|{{ .CommonLabels.SortedPairs }}|{{ .CommonLabels.Names.Join "+" }}|{{ .CommonLabels.SortedPairs.Values.Join "+" }}',
      ),
    ).toBe('alertname=Down, Job=api, z=1|alertname=Down, Job=api, z=1|alertname+Job+z|Down+api+1')
    expect(render('{{ range $name, $value := .CommonLabels }}{{ $name }},{{ end }}')).toBe(
      'Job,alertname,z,',
    )
  })

  it('removes labels on demand without changing itself', () => {
    expect(
      render('{{ (.CommonLabels.Remove .GroupLabels.Names).Names }}{{ len .CommonLabels }}'),
    ).toBe('[Job z]3')
  })

  it('treats labels named like members of JavaScript objects as labels', () => {
    const commonLabels = JSON.parse('{"__proto__":"a","constructor":"b"}')
    expect(
      render(
        '{{ .CommonLabels.__proto__ }}{{ .CommonLabels.constructor }}[{{ .CommonLabels.toString }}]',
        { commonLabels },
      ),
    ).toBe('ab[]')
  })

  it('is formatted like the body of a webhook', () => {
    expect(JSON.parse(render('{{ toJson . }}'))).toEqual({
      receiver: 'team\\.x \\(a\\|b\\)',
      status: 'firing',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'Down', Job: 'api' },
          annotations: {},
          startsAt: '2026-01-02T03:04:05.006Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'http://prom/',
          fingerprint: '00',
        },
        expect.objectContaining({ status: 'resolved', endsAt: '2026-01-02T04:00:00Z' }),
      ],
      notification_reason: 'new alerts added',
      groupLabels: { alertname: 'Down' },
      commonLabels: { alertname: 'Down', Job: 'api', z: '1' },
      commonAnnotations: {},
      routeLabels: { team: 'a' },
      externalURL: 'http://am',
    })
  })
})
