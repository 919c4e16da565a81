import { describe, expect, it } from 'vitest'
import { createFixture, webhookNamed } from '../service.fixture.ts'
import { problemsIn, readWebhook, settingProblems } from './config.fixture.ts'
import { isTaken } from './delivery-path.ts'

const both = (first: object, second: object, service: object = {}): readonly string[] =>
  problemsIn({
    webhooks: [webhookNamed('a', first), webhookNamed('b', second)],
    ...service,
  }).map(({ path, message }) => `${path} ${message}`)

describe('the path of a webhook', () => {
  it.each([
    ['/hooks/redeploy', '/hooks/redeploy'],
    ['/hooks/a/b/', '/hooks/a/b'],
    ['/webhooks/x', '/webhooks/x'],
    ['/Hooks/übung', '/Hooks/übung'],
  ])('%s is read', (written, path) => {
    expect(readWebhook({ path: written }).path).toBe(path)
  })

  it.each([
    ...[
      'hooks',
      '',
      '/',
      '//a',
      '/a//b',
      '/a b',
      '/a?b',
      '/a#b',
      '/a%2Fb',
      '/a\\b',
      '/..',
      '/a/./b',
    ],
    `/${'x'.repeat(600)}`,
    '/a\n',
  ])('%j is refused', (path) => {
    expect(settingProblems({ path })).toEqual(['path bad_path'])
  })

  it.each(['/webhook', '/webhook/x', '/webhooks', '/runs', '/runs/x', '/hash', '/metrics'])(
    '%s is a path of the service',
    (path) => {
      expect(settingProblems({ path })).toEqual(['path conflict'])
    },
  )

  it('is none of those that the other services have, at the root', () => {
    expect(settingProblems({ path: '/api/v2/alerts' })).toEqual(['path conflict'])
    expect(settingProblems({ path: '/-/reload/' })).toEqual(['path conflict'])
    expect(both({ path: '/-/reload' }, {}, { base_path: '/x' })).toEqual([])
    expect(both({ path: '/v2/x' }, {}, { base_path: '/api' })).toEqual([
      'webhooks[0].path Gatehouse itself has the path /api/v2/x',
    ])
  })

  it('every fixed route of the service is taken', () => {
    const { webhooks } = createFixture({ config: { webhooks: [], metrics: true } })
    const paths = webhooks.routes.filter(({ serves }) => !serves).map(({ path }) => path)
    expect(paths.length).toBeGreaterThan(10)
    for (const path of paths) expect(isTaken(path.replace(/\/$/, ''), ''), path).toBe(true)
  })

  it('belongs to one webhook for each method', () => {
    const path = '/hooks/x'
    const taken = 'webhooks[1].path webhooks[0].path already has this path for'
    expect(both({ path }, { path: '/hooks/x/' })).toEqual([`${taken} POST`])
    expect(both({ path }, { path, methods: ['PUT', 'POST'] })).toEqual([`${taken} POST`])
    expect(both({ path }, { path, methods: ['PUT'] })).toEqual([])
    expect(both({ path }, { path: '/Hooks/x' })).toEqual([])
    const defaults = { methods: ['GET'] }
    expect(both({ path }, { path, methods: ['POST'] }, { defaults })).toEqual([])
    expect(both({ path }, { path, methods: ['GET'] }, { defaults })).toEqual([`${taken} GET`])
  })

  it('is not one of the defaults', () => {
    const problems = both({}, {}, { defaults: { path: '/x' } })
    expect(problems).toEqual([expect.stringContaining('every webhook has its own')])
  })
})

describe('methods', () => {
  it.each([[['GET']], [['HEAD', 'POST']]])('%j cannot be signed', (methods) => {
    const github = { scheme: 'github', secret: 'a-secret-that-is-long' }
    expect(settingProblems({ methods, signature: github })).toEqual(['methods conflict'])
    expect(settingProblems({ methods, signature: github, auth: 'token' })).toEqual([])
    const gitlab = { ...github, scheme: 'gitlab-token' }
    expect(settingProblems({ methods, signature: gitlab })).toEqual([])
  })

  it.each([[[]], [['get']], [['TRACE']], ['POST']])('%j are refused', (methods) => {
    expect(settingProblems({ methods })).not.toEqual([])
  })
})
