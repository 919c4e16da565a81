import { describe, expect, it } from 'vitest'
import type { Authorize, Subject } from '../../authorization/authorize.ts'
import { identifyRequests } from '../../http/identify-requests.ts'
import { listRefusals } from '../delivery/list-refusals.ts'
import { createFixture, webhookNamed } from '../service.fixture.ts'
import { updateWebhooksConfig } from '../update-webhooks-config.ts'
import { createSender } from './routes.fixture.ts'

const config = {
  admin: { token: 'admin-token' },
  webhooks: [
    webhookNamed('deploy', {
      token: 'token-of-deploy',
      command_arguments: [{ name: '--image', source: 'data.image', pattern: '[a-z]+' }],
    }),
    webhookNamed('signed', {
      token: 'token-of-signed',
      signature: { scheme: 'github' as const, secret: 'hidden-secret' },
      command_arguments: [{ name: '', source: 'header:X-Hub-Signature-256' }],
    }),
  ],
}

function createService(authorize?: Authorize) {
  const fixture = createFixture({ config, ...(authorize === undefined ? {} : { authorize }) })
  const send = createSender(
    identifyRequests(fixture.webhooks.routes, ({ headers }): Subject | undefined => {
      const id = headers.get('x-user')
      return id === null ? undefined : { id, kind: 'user' }
    }),
  )
  const refusals = async (id: string, token = 'admin-token') => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await send({ path: `/webhooks/refusals?id=${id}`, headers })
    return { status: response.status, text: await response.text() }
  }
  const test = async (body: object, headers: Readonly<Record<string, string>>) => {
    const response = await send({ path: '/webhooks/test', body, headers })
    return { status: response.status, text: await response.text() }
  }
  return { ...fixture, send, refusals, test }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('GET /webhooks/refusals', () => {
  it('lists refused deliveries, newest first, with the reason and without a value', async () => {
    const { send, refusals } = createService()
    const deliver = (body: object, token = 'token-of-deploy') =>
      send({ path: '/webhook/deploy', body, headers: { ...bearer(token), 'x-request-id': 'r' } })
    await deliver({ image: 'a' }, 'wrong-secret')
    await deliver({ image: 'BAD VALUE' })
    const { status, text } = await refusals('deploy')
    expect(status).toBe(200)
    expect(JSON.parse(text).refusals).toEqual([
      expect.objectContaining({ code: 'argument_rejected', about: 'data.image', request_id: 'r' }),
      expect.objectContaining({ code: 'invalid_token', at: expect.stringMatching(/Z$/) }),
    ])
    expect(text).not.toMatch(/wrong-secret|BAD VALUE/)
  })

  it('keeps the last 20, and none of webhooks that do not exist or are gone', async () => {
    const { send, webhooks } = createService()
    for (let nth = 0; nth < 25; nth++) {
      const headers = { ...bearer('wrong'), 'x-request-id': `r${nth}` }
      for (const id of ['deploy', `made-up-${nth}`])
        await send({ path: `/webhook/${id}`, body: {}, headers })
    }
    const kept = listRefusals(webhooks, { webhook_id: 'deploy' })
    expect(kept.map(({ request_id }) => request_id)).toEqual(
      Array.from({ length: 20 }, (_, index) => `r${24 - index}`),
    )
    expect(() => listRefusals(webhooks, { webhook_id: 'made-up-1' })).toThrow('no such webhook')
    updateWebhooksConfig(webhooks, { webhooks: [webhookNamed('other')] })
    updateWebhooksConfig(webhooks, config)
    expect(listRefusals(webhooks, { webhook_id: 'deploy' })).toEqual([])
  })

  it('needs the token of the webhook or of the administrator; its own refusals are not listed', async () => {
    const { refusals } = createService()
    expect((await refusals('deploy', 'token-of-signed')).status).toBe(401)
    expect((await refusals('', 'admin-token')).status).toBe(400)
    expect((await refusals('none', 'admin-token')).status).toBe(404)
    const { status, text } = await refusals('deploy', 'token-of-deploy')
    expect([status, JSON.parse(text)]).toEqual([200, { refusals: [] }])
  })
})

describe('POST /webhooks/test', () => {
  const json = { 'content-type': 'application/json' }

  it('says what is checked and run, and runs nothing', async () => {
    const { test, runner } = createService()
    const sample = { id: 'deploy', body: '{"image":"a"}', headers: json }
    const { status, text } = await test(sample, bearer('token-of-deploy'))
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({
      runs: true,
      command: { argv: ['true', '--image', 'a'] },
    })
    const refused = await test({ ...sample, body: '{"image":"A"}' }, bearer('token-of-deploy'))
    expect(JSON.parse(refused.text)).toMatchObject({ runs: false, command: null })
    expect(JSON.parse(refused.text).checks.at(-1)).toMatchObject({
      check: 'command',
      outcome: 'refused',
    })
    expect(runner.commands).toEqual([])
  })

  it('signs like the sender, and shows the secret to nobody', async () => {
    const { test } = createService(async () => true)
    const { status, text } = await test(
      { id: 'signed', body: '{}', headers: json },
      { 'x-user': 'u' },
    )
    expect(status).toBe(200)
    expect(JSON.parse(text).checks).toContainEqual(
      expect.objectContaining({ check: 'sender', outcome: 'passed' }),
    )
    expect(text).not.toMatch(/hidden-secret|sha256=/)
  })

  it.each([
    ['a wrong token', 'deploy', bearer('wrong')],
    ['the token of another webhook', 'deploy', bearer('token-of-signed')],
    ['the administrator, who runs nothing', 'deploy', bearer('admin-token')],
    ['a token that needs a signature to run it', 'signed', bearer('token-of-signed')],
    ['an unknown webhook', 'none', bearer('token-of-deploy')],
    ['no proof', 'deploy', {}],
  ])('is refused to %s', async (_, id, headers) => {
    const { test } = createService()
    const { status, text } = await test({ id, body: '{}', headers: json }, headers)
    expect([status, JSON.parse(text).code]).toEqual([401, 'invalid_token'])
  })

  it('decodes its body', async () => {
    const { test } = createService()
    const { status, text } = await test({ body: 1, headers: 2 }, bearer('token-of-deploy'))
    expect(status).toBe(400)
    expect(JSON.parse(text).fields.map(({ path }: { path: string }) => path)).toEqual([
      'id',
      'body',
      'headers',
    ])
  })
})
