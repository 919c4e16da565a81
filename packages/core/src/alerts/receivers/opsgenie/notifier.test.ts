import { describe, expect, it } from 'vitest'
import type { GivenAnswer } from '../../../http/capture-server.fixture.ts'
import { deliver, describeDelivery, testPorts } from '../delivery.fixture.ts'
import { type SampleOptions, sampleAlert } from '../notifier.fixture.ts'
import { opsgenie } from './notifier.ts'

const alias = '17c4e445d234645c9e547ff6d32a864af0ebdadcd1902771c24c8d366637ff41'

describeDelivery({
  kind: opsgenie,
  settings: (url) => ({ api_url: url, api_key: '0g-key' }),
  secrets: ['0g-key'],
  accepted: { status: 202 },
  isRetried: (status) => status === 429 || status >= 500,
  recorded: {
    firing: ['opsgenie alerts', 'opsgenie message', 'opsgenie description'],
    resolved: ['opsgenie close'],
  },
})

const notify = (
  given: object,
  notification: SampleOptions = {},
  answer: (path: string) => GivenAnswer = () => ({ status: 202 }),
) =>
  deliver({
    kind: opsgenie,
    settings: (url) => ({
      api_url: `${url}/api?region=eu`,
      api_key: 'k',
      message: 'm',
      description: 'd',
      source: 's',
      ...given,
    }),
    portsFor: () => testPorts({ readFile: async (path) => `in${path}\n` }),
    answer: ({ path }) => answer(path),
    notification,
  })

async function bodyOf(given: object, notification: SampleOptions = {}): Promise<unknown> {
  const { requests } = await notify(given, notification)
  expect(requests).toHaveLength(1)
  return JSON.parse(requests[0]?.body ?? '')
}

describe('creating an alert', () => {
  it('sends the configured fields, rendered', async () => {
    const { requests } = await notify({
      message: '{{ .Status }} <m>',
      entity: 'e-{{ .Status }}',
      note: 'n-{{ .Status }}',
      priority: 'P{{ len .Alerts }}',
      actions: 'a-{{ .Status }},b',
      tags: '{{ .Status }}',
    })
    expect(requests).toMatchObject([{ method: 'POST', path: '/api/v2/alerts?region=eu' }])
    expect(requests[0]?.body).toBe(
      `{"alias":"${alias}","message":"firing \\u003cm\\u003e","description":"d",` +
        '"details":{"alertname":"DiskFull","severity":"critical"},"source":"s",' +
        '"tags":["firing"],"note":"n-firing","priority":"P2","entity":"e-firing",' +
        '"actions":["a-firing","b"]}\n',
    )
  })

  it('leaves out empty fields, except required ones', async () => {
    const notification = { alerts: [sampleAlert({ labels: { instance: 'a' } }), sampleAlert()] }
    expect(await bodyOf({ message: '', description: '', source: '' }, notification)).toEqual({
      alias,
      message: '',
      details: {},
      source: '',
    })
  })

  it('truncates a message that is too long', async () => {
    expect(await bodyOf({ message: 'é'.repeat(131) })).toMatchObject({
      message: `${'é'.repeat(129)}…`,
    })
  })

  it('adds details to the common labels, and overrides those with the same name', async () => {
    const details = { severity: 'sev-{{ .CommonLabels.severity }}', Team: 'a' }
    const { requests } = await notify({ details })
    expect(requests[0]?.body).toContain(
      '"details":{"Team":"a","alertname":"DiskFull","severity":"sev-critical"}',
    )
  })

  it.each([
    { tags: ' a, b,,c ', expected: ['a', ' b', 'c'] },
    { tags: ' , ', expected: undefined },
    { tags: ',{{ .Status }},', expected: ['firing'] },
  ])('splits the list $tags at its commas', async ({ tags, expected }) => {
    expect(((await bodyOf({ tags })) as { tags?: unknown }).tags).toEqual(expected)
  })
})

describe('responders', () => {
  const respondersOf = async (...responders: readonly object[]): Promise<unknown> =>
    ((await bodyOf({ responders })) as { responders?: unknown }).responders

  it('are rendered', async () => {
    expect(
      await respondersOf(
        { id: 'i-{{ .Status }}', type: 'team' },
        { name: 'n-{{ .Status }}', type: 'schedule' },
        { username: 'u-{{ .Status }}', type: '{{ "user" }}' },
      ),
    ).toEqual([
      { id: 'i-firing', type: 'team' },
      { name: 'n-firing', type: 'schedule' },
      { username: 'u-firing', type: 'user' },
    ])
  })

  it('of the type teams become one team for each name', async () => {
    expect(await respondersOf({ name: 'a,{{ .Status }},,b c', type: 'teams' })).toEqual([
      { name: 'a', type: 'team' },
      { name: 'firing', type: 'team' },
      { name: 'b c', type: 'team' },
    ])
  })

  it('without a name are left out', async () => {
    const name = '{{ .CommonLabels.team }}'
    expect(
      await respondersOf({ name, type: '{{ .CommonLabels.kind }}' }, { name, type: 'team' }),
    ).toBeUndefined()
    expect(await respondersOf({ name, type: 'teams' })).toBeUndefined()
  })
})

describe('updating an alert', () => {
  it('is off by default', async () => {
    expect((await notify({})).requests).toHaveLength(1)
  })

  it.each([
    { failing: 'v2/alerts?', sent: 1 },
    { failing: '/message?', sent: 2 },
    { failing: '/description?', sent: 3 },
  ])('stops at the first request that fails: $failing', async ({ failing, sent }) => {
    const answer = (path: string): GivenAnswer => ({ status: path.includes(failing) ? 429 : 202 })
    const { result, requests } = await notify({ update_alerts: true }, {}, answer)
    expect(result).toMatchObject({ outcome: 'retry', reason: 'rateLimited' })
    expect(requests).toHaveLength(sent)
  })

  it('leaves out empty fields', async () => {
    const { requests } = await notify({ update_alerts: true, message: '', description: '' })
    expect(requests.slice(1).map(({ body }) => body)).toEqual(['{}\n', '{}\n'])
  })
})

it('closes an alert, with the configured query', async () => {
  const { requests } = await notify({ source: 'by {{ .Status }}' }, { resolved: true })
  expect(requests).toMatchObject([
    {
      method: 'POST',
      path: `/api/v2/alerts/${alias}/close?region=eu&identifierType=alias`,
      body: '{"source":"by resolved"}\n',
    },
  ])
})

it.each([
  { given: { api_key: 'k-{{ .Status }}' }, key: 'k-firing' },
  { given: { api_key: undefined, api_key_file: '/k' }, key: 'in/k' },
])('authenticates with the key of $given', async ({ given, key }) => {
  const { requests } = await notify(given)
  expect(requests[0]?.headers.authorization).toBe(`GenieKey ${key}`)
})

it('rejects a template that cannot be rendered', async () => {
  await expect(notify({ note: '{{ .No }}' })).rejects.toMatchObject({
    reason: 'TemplateExecution',
  })
})
