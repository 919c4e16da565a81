import { describe, expect, it } from 'vitest'
import type { CapturedRequest, GivenAnswer } from '../../../http/capture-server.fixture.ts'
import { deliver } from '../delivery.fixture.ts'
import type { SampleOptions } from '../notifier.fixture.ts'
import { jira } from './notifier.ts'

const label = 'ALERT{17c4e445d234645c9e547ff6d32a864af0ebdadcd1902771c24c8d366637ff41}'
const inOrder = `labels="${label}" order by status ASC,resolutiondate DESC`

const issue = (category: string) => ({
  key: 'OPS-7',
  fields: { status: { statusCategory: { key: category } } },
})

/** A Jira with these issues, unless `answer` returns a response. */
const jiraWith =
  (issues: readonly object[], answer: (request: CapturedRequest) => GivenAnswer | undefined) =>
  (request: CapturedRequest): GivenAnswer => {
    const own = answer(request)
    if (own !== undefined) return own
    const { method, path } = request
    if (path.includes('/search')) return { body: JSON.stringify({ issues }) }
    if (method === 'PUT') return { status: 204 }
    if (method === 'GET') {
      const transitions = [
        { id: '11', name: 'Close' },
        { id: '21', name: 'Reopen' },
      ]
      return { body: JSON.stringify({ transitions }) }
    }
    return path.endsWith('/transitions')
      ? { status: 204 }
      : { status: 201, body: '{"key":"OPS-8"}' }
  }

interface Given {
  readonly issues?: readonly object[]
  readonly notification?: SampleOptions
  readonly answer?: (request: CapturedRequest) => GivenAnswer | undefined
  readonly path?: string
}

function notify(settings: object, given: Given = {}) {
  const { issues = [], notification = {}, answer = () => undefined, path = '/rest/api/2' } = given
  return deliver({
    kind: jira,
    settings: (url) => ({
      api_url: `${url}${path}`,
      project: 'OPS',
      issue_type: 'Bug',
      summary: 's',
      description: 'd',
      priority: '',
      ...settings,
    }),
    answer: jiraWith(issues, answer),
    notification,
  })
}

/** The requests without headers; bodies as values. */
const brief = (requests: readonly CapturedRequest[]): readonly unknown[] =>
  requests.map(({ method, path, body }) => [
    method,
    path,
    ...(body === '' ? [] : [JSON.parse(body)]),
  ])

const search = (jql: string) => [
  'POST',
  '/rest/api/2/search',
  { fields: ['status'], jql, maxResults: 2 },
]
const openIssues = `statusCategory != Done and project="OPS" and ${inOrder}`
const fields = {
  project: { key: 'OPS' },
  issuetype: { name: 'Bug' },
  summary: 's',
  description: 'd',
  labels: [label],
}

describe('a firing group', () => {
  it('gets an issue', async () => {
    const { result, requests } = await notify({})
    expect(result).toEqual({ outcome: 'sent' })
    expect(brief(requests)).toEqual([search(openIssues), ['POST', '/rest/api/2/issue', { fields }]])
    for (const { headers, body } of requests) {
      expect(headers).toMatchObject({ 'accept-language': 'en', 'content-type': 'application/json' })
      expect(body).toMatch(/\}\n$/)
    }
  })

  it('updates the open issue', async () => {
    const { result, requests } = await notify(
      { reopen_transition: 'Reopen' },
      { issues: [issue('new'), issue('done')] },
    )
    expect(result).toEqual({ outcome: 'sent' })
    expect(brief(requests).slice(1)).toEqual([['PUT', '/rest/api/2/issue/OPS-7', { fields }]])
  })

  it('reopens a resolved issue', async () => {
    const { result, requests } = await notify(
      { reopen_transition: 'Reopen', reopen_duration: '90s' },
      { issues: [issue('done')] },
    )
    expect(result).toEqual({ outcome: 'sent' })
    const recent = '(resolutiondate is EMPTY OR resolutiondate >= -1m) and'
    expect(brief(requests)).toEqual([
      search(`${recent} project="OPS" and ${inOrder}`),
      ['PUT', '/rest/api/2/issue/OPS-7', { fields }],
      ['GET', '/rest/api/2/issue/OPS-7/transitions'],
      ['POST', '/rest/api/2/issue/OPS-7/transitions', { transition: { id: '21' } }],
    ])
  })

  it.each([
    [{ reopen_transition: 'R' }, `project="OPS" and ${inOrder}`],
    [
      { wont_fix_resolution: 'Won"t' },
      `(resolution is EMPTY or resolution != "Won\\"t") and ${openIssues}`,
    ],
    [{ project: 'P-{{ .Status }}' }, openIssues.replace('OPS', 'P-firing')],
  ])('with %o searches by %s', async (settings, jql) => {
    const { requests } = await notify(settings)
    expect(brief(requests)[0]).toEqual(search(jql))
  })
})

describe('a resolved group', () => {
  const notification = { resolved: true }

  it('needs no issue', async () => {
    const { result, requests } = await notify({ reopen_transition: 'Reopen' }, { notification })
    expect(result).toEqual({ outcome: 'sent' })
    expect(brief(requests)).toEqual([search(openIssues)])
  })

  it('resolves its issue', async () => {
    const { result, requests } = await notify(
      { resolve_transition: 'Close' },
      { notification, issues: [issue('indeterminate')] },
    )
    expect(result).toEqual({ outcome: 'sent' })
    expect(brief(requests).slice(1)).toEqual([
      ['PUT', '/rest/api/2/issue/OPS-7', { fields }],
      ['GET', '/rest/api/2/issue/OPS-7/transitions'],
      ['POST', '/rest/api/2/issue/OPS-7/transitions', { transition: { id: '11' } }],
    ])
  })

  it.each([
    ['no transition is configured', '', issue('new')],
    ['it is already resolved', 'Close', issue('done')],
    ['its status is unknown', 'Close', { key: 'OPS-7', fields: {} }],
  ])('leaves its issue unchanged if %s', async (_, resolve_transition, found) => {
    const { result, requests } = await notify(
      { resolve_transition },
      { notification, issues: [found] },
    )
    expect(result).toEqual({ outcome: 'sent' })
    expect(brief(requests).slice(1)).toEqual([['PUT', '/rest/api/2/issue/OPS-7', { fields }]])
  })

  it('fails permanently if the transition does not exist', async () => {
    const { result } = await notify(
      { resolve_transition: 'Shut' },
      { notification, issues: [issue('new')] },
    )
    expect(result).toEqual({
      outcome: 'failed',
      reason: 'other',
      detail: `can't find transition Shut for issue OPS-7`,
    })
  })
})

describe('the issue', () => {
  const created = async (settings: object, path?: string) => {
    const { requests } = await notify(settings, path === undefined ? {} : { path })
    return JSON.parse(requests[1]?.body ?? '').fields
  }

  it('has the configured fields, rendered', async () => {
    const { requests } = await notify({
      issue_type: 't-{{ .Status }}',
      summary: '<{{ .Status }}>',
      description: 'd-{{ .Status }}',
      labels: ['z-{{ .Status }}', 'B', 'a'],
      priority: 'p-{{ .Status }}',
      fields: {
        customfield_1: { value: '{{ .CommonLabels.severity }}' },
        customfield_2: ['{{ len .Alerts }}', true, 1.5],
      },
    })
    expect(requests[1]?.body).toBe(
      '{"fields":{"project":{"key":"OPS"},"issuetype":{"name":"t-firing"},' +
        '"summary":"\\u003cfiring\\u003e","description":"d-firing",' +
        `"labels":["${label}","B","a","z-firing"],"priority":{"name":"p-firing"},` +
        '"customfield_1":{"value":"critical"},"customfield_2":[2,true,1.5]}}\n',
    )
  })

  it('has default texts', async () => {
    const defaults = { summary: undefined, description: undefined, priority: undefined }
    expect(await created(defaults)).toMatchObject({
      summary: '[FIRING:2] DiskFull (critical)',
      description: expect.stringContaining('# Alerts Firing:'),
      priority: { name: 'High' },
    })
  })

  it('is truncated if it is too long', async () => {
    const { summary, description } = await created({
      summary: 'é'.repeat(256),
      description: 'é'.repeat(32_768),
    })
    expect(summary).toBe(`${'é'.repeat(254)}…`)
    expect(description).toBe(`${'é'.repeat(32_766)}…`)
  })

  it('keeps texts without enable_update', async () => {
    const settings = {
      summary: { template: 's', enable_update: false },
      description: { template: 'd', enable_update: false },
    }
    expect(await created(settings)).toEqual(fields)
    const { requests } = await notify(settings, { issues: [issue('new')] })
    const { summary: _, description: __, ...others } = fields
    expect(brief(requests)[1]).toEqual(['PUT', '/rest/api/2/issue/OPS-7', { fields: others }])
  })

  it.each(['/rest/api/3', '/rest/api/3/'])(
    'has a document as description under %s',
    async (path) => {
      const document = { type: 'doc', version: 1, content: [] }
      expect(await created({ description: JSON.stringify(document) }, path)).toMatchObject({
        description: document,
      })
      const paragraph = (...content: readonly object[]) => ({ type: 'paragraph', content })
      expect(await created({ description: 'one\n\n[two' }, path)).toMatchObject({
        description: {
          type: 'doc',
          version: 1,
          content: [
            paragraph({ type: 'text', text: 'one' }),
            paragraph(),
            paragraph({ type: 'text', text: '[two' }),
          ],
        },
      })
    },
  )
})

describe('the API', () => {
  it.each([
    ['auto', '/rest/api/2', '/rest/api/2/search'],
    ['datacenter', '/rest/api/2', '/rest/api/2/search'],
    ['cloud', '/rest/api/2', '/rest/api/3/search/jql'],
    ['cloud', '/rest/api/2/', '/rest/api/3/search/jql'],
    ['cloud', '/rest/api/3', '/rest/api/3/search/jql'],
    ['cloud', '/rest/api/2?x=1', '/rest/api/3/search/jql?x=1'],
  ])('of type %s at %s is searched at %s', async (api_type, path, searched) => {
    const { requests } = await notify({ api_type }, { path })
    expect(requests[0]?.path).toBe(searched)
  })

  it.each([
    ['/search', 429, 'retry', 'rateLimited', 'look up existing issues'],
    ['/search', 503, 'retry', 'serverError', 'look up existing issues'],
    ['/search', 400, 'failed', 'clientError', 'look up existing issues'],
    ['/issue', 400, 'failed', 'clientError', 'create an issue'],
    ['/OPS-7', 429, 'retry', 'rateLimited', 'change issue OPS-7'],
    ['/transitions', 401, 'failed', 'authError', 'list the transitions of issue OPS-7'],
    ['/transitions POST', 500, 'retry', 'serverError', 'transition issue OPS-7'],
  ])('at %s may respond with %i: %s', async (part, status, outcome, reason, doing) => {
    const [end = '', only] = part.split(' ')
    const { result } = await notify(
      { reopen_transition: 'Reopen' },
      {
        issues: end === '/issue' ? [] : [issue('done')],
        answer: ({ method, path }) =>
          path.endsWith(end) && (only === undefined || method === only)
            ? { status, body: '{"errorMessages":["why"]}', headers: { 'retry-after': '3' } }
            : undefined,
      },
    )
    expect(result).toEqual({
      outcome,
      reason,
      detail: `failed to ${doing}: unexpected status code ${status}: {"errorMessages":["why"]}`,
      retryAfterMs: 3_000,
    })
  })

  it.each(['<html>', '{"issues":[{"id":1}]}'])('may respond to a search with %s', async (body) => {
    const { result, requests } = await notify({}, { answer: () => ({ body }) })
    expect(result).toEqual({
      outcome: 'retry',
      reason: 'other',
      detail: 'failed to look up existing issues: cannot read the response',
    })
    expect(requests).toHaveLength(1)
  })

  it('gets no request if a template cannot be rendered', async () => {
    await expect(notify({ labels: ['{{ .Nope }}'] })).rejects.toMatchObject({
      reason: 'TemplateExecution',
    })
  })
})
