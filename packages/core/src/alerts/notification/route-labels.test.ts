import { describe, expect, it } from 'vitest'
import { listAlertGroups, listAlertGroupsJson } from '../alerts/list-alert-groups.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { renderTemplate } from '../notifications/render-template.ts'
import { explain } from '../running-config/explain.ts'
import { updateAlertsConfig } from '../running-config/update-alerts-config.ts'
import { createFixture } from '../service.fixture.ts'

const config = (owner: string): string =>
  JSON.stringify({
    route: {
      receiver: 'r',
      group_by: ['team'],
      labels: { plain: 'a' },
      routes: [
        {
          matchers: ['team!=""'],
          labels: {
            owner,
            size: '{{ len .Alerts }}',
            link: '{{ .ExternalURL }}/{{ routeLabels "owner" }}',
            broken: '{{ .Nope }}',
          },
        },
      ],
    },
    receivers: [{ name: 'r' }],
  })
const byTeam = config('team {{ .GroupLabels.team }}: {{ .CommonAnnotations.owner }}')

/** The labels of the group view's groups, once as values and once as JSON. */
async function routeLabels(alerts: AlertsContext): Promise<unknown> {
  const values = (await listAlertGroups(alerts)).map((group) => group.routeLabels)
  const json = new TextDecoder().decode(await listAlertGroupsJson(alerts))
  const groups: { routeLabels: unknown }[] = JSON.parse(json)
  expect(groups.map((group) => group.routeLabels)).toEqual(values)
  return values
}

describe('the labels of a route', () => {
  it('are rendered for each group in the groups view, without labels that fail', async () => {
    const { alerts } = createFixture({ config: byTeam, externalUrl: 'http://x' })
    await postAlerts(alerts, [
      { labels: { alertname: 'A' } },
      { labels: { alertname: 'A', team: 'a' }, annotations: { owner: 'ann' } },
      { labels: { alertname: 'B', team: 'a' }, annotations: { owner: 'ann' } },
      { labels: { alertname: 'A', team: 'b' } },
    ])
    expect(await routeLabels(alerts)).toEqual([
      { plain: 'a' },
      { plain: 'a', owner: 'team a: ann', size: '2', link: 'http://x/team a: ann' },
      { plain: 'a', owner: 'team b: ', size: '1', link: 'http://x/team b: ' },
    ])
  })

  it('follow the alerts of the group and the configuration', async () => {
    const { alerts, clock } = createFixture({ config: byTeam })
    const post = (owner: string, name = 'A'): Promise<void> => {
      const labels = { alertname: name, team: 'a' }
      return postAlerts(alerts, [{ labels, annotations: { owner } }])
    }
    await post('ann')
    expect(await routeLabels(alerts)).toMatchObject([{ owner: 'team a: ann', size: '1' }])
    clock.advance(60_000)
    await post('bob')
    expect(await routeLabels(alerts)).toMatchObject([{ owner: 'team a: bob', size: '1' }])
    await post('bob', 'B')
    expect(await routeLabels(alerts)).toMatchObject([{ owner: 'team a: bob', size: '2' }])
    clock.advance(5 * 60_000 - 1)
    await post('eve', 'B')
    clock.advance(1)
    expect(await routeLabels(alerts)).toMatchObject([{ owner: 'team a: eve', size: '1' }])
    updateAlertsConfig(alerts, config('nobody'))
    expect(await routeLabels(alerts)).toMatchObject([{ owner: 'nobody', size: '1' }])
  })

  it('are available to the templates of files', () => {
    const text = '{{ define "x" }}{{ routeLabels "plain" }} {{ .RouteLabels.plain }}{{ end }}'
    const templateFiles = [{ name: 'x.tmpl', text }]
    const { alerts } = createFixture({ config: { text: byTeam, templateFiles } })
    expect(renderTemplate(alerts, '{{ template "x" . }}')).toBe('a a')
  })

  it('are part of an explanation, also for an alert that was not posted', async () => {
    const { alerts } = createFixture({ config: byTeam })
    const labels = { alertname: 'A', team: 'a' }
    const explained = async (): Promise<unknown> => {
      return (await explain(alerts, labels)).routes.map((route) => route.routeLabels)
    }
    expect(await explained()).toMatchObject([{ plain: 'a', owner: 'team a: ', size: '1' }])
    await postAlerts(alerts, [{ labels, annotations: { owner: 'ann' } }])
    expect(await explained()).toMatchObject([{ owner: 'team a: ann' }])
  })
})
