import { describe, expect, it } from 'vitest'
import type { Authorize, Subject } from '../../authorization/authorize.ts'
import { identifyRequests } from '../../http/identify-requests.ts'
import { listWebhooks } from '../list-webhooks.ts'
import { createFixture, endAtOnce, webhookNamed } from '../service.fixture.ts'
import { createSender } from './routes.fixture.ts'

const config = {
  admin: { token: 'admin-token' },
  webhooks: [
    webhookNamed('deploy', {
      token: 'token-of-deploy',
      execute_command: './deploy.sh --password hidden-word',
      timeout: '5m',
      command_arguments: [
        { name: '--fixed=hidden-argument' },
        { name: '--image', source: 'data.image', pattern: '[a-z]+', max_length: 20 },
        { name: '--level', source: 'query:level', default: 'info', format: 'equals' as const },
        { name: '--at', source: 'request:time' },
      ],
      env: {
        TOKEN: 'hidden-variable',
        BRANCH: { source: 'data.branch', default: 'hidden-default' },
        ACTOR: { source: 'header:x-actor' },
      },
      files: [{ env: 'ARCHIVE', source: 'data.archive', base64: true }],
    }),
    webhookNamed('signed', {
      token: 'token-of-signed',
      mode: 'async' as const,
      stdin: 'data' as const,
      signature: { scheme: 'github' as const, secret: 'hidden-secret' },
    }),
    webhookNamed('off', { enabled: false }),
  ],
}

function createService(authorize?: Authorize) {
  const { webhooks } = createFixture({
    script: endAtOnce,
    config,
    ...(authorize === undefined ? {} : { authorize }),
  })
  const send = createSender(
    identifyRequests(webhooks.routes, ({ headers }): Subject | undefined => {
      const id = headers.get('x-user')
      return id === null ? undefined : { id, kind: 'user' }
    }),
  )
  const list = async (headers: Readonly<Record<string, string>> = {}) => {
    const response = await send({ path: '/webhooks', headers })
    const text = await response.text()
    const { webhooks: listed = [], reads_all, code } = JSON.parse(text)
    const actions = Object.fromEntries(
      listed.map(({ id, actions }: { id: string; actions: string[] }) => [
        id,
        actions.map((action) => action.slice('webhooks:'.length)).join(),
      ]),
    )
    return { status: response.status, text, listed, reads_all, code, actions }
  }
  return { webhooks, list }
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

describe('the list of webhooks', () => {
  it('has the values that each reads from a request, and no secret', async () => {
    const { list, webhooks } = createService()
    const { listed, text } = await list(bearer('admin-token'))
    const deploy = {
      id: 'deploy',
      mode: 'sync',
      concurrency: 1,
      queue: 1_000,
      on_busy: 'queue',
      timeout_ms: 300_000,
      reads_data: false,
      inputs: [
        {
          use: 'argument',
          name: '--image',
          source: 'data.image',
          required: true,
          pattern: '[a-z]+',
          max_length: 20,
          allow_dash: false,
        },
        {
          use: 'argument',
          name: '--level',
          source: 'query:level',
          required: false,
          default: 'info',
          max_length: 65_536,
          allow_dash: true,
        },
        { use: 'variable', name: 'BRANCH', source: 'data.branch', required: false },
        { use: 'variable', name: 'ACTOR', source: 'header:x-actor', required: true },
        { use: 'file', name: 'ARCHIVE', source: 'data.archive', required: true, base64: true },
      ],
      sender: {
        path: '/webhook/deploy',
        methods: ['POST'],
        content_types: ['application/json'],
        token: { in: 'bearer' },
        signature: null,
      },
    }
    expect(listed[0]).toEqual({ ...deploy, actions: ['webhooks:read', 'webhooks:cancel'] })
    expect(listed[1]).toMatchObject({ id: 'signed', mode: 'async', reads_data: true, inputs: [] })
    expect(listed[1].sender).toMatchObject({
      token: null,
      signature: { algorithm: 'hmac-sha256', headers: ['X-Hub-Signature-256'] },
    })
    expect(text).not.toMatch(/hidden|token-of/)
    expect(listWebhooks(webhooks)[0]).toEqual(deploy)
  })

  it('shows the administrator all enabled webhooks, and a token its own', async () => {
    const { list } = createService()
    expect(await list(bearer('admin-token'))).toMatchObject({
      reads_all: true,
      actions: { deploy: 'read,cancel', signed: 'read,cancel' },
    })
    const owner = await list(bearer('token-of-deploy'))
    expect(owner).toMatchObject({ reads_all: false })
    expect(owner.actions).toEqual({ deploy: 'read,run,cancel' })
    const byHeader = await list({ 'x-webhook-token': 'token-of-signed' })
    expect(byHeader.actions).toEqual({ signed: 'read,cancel' })
  })

  it('is refused without a token, and with a wrong one', async () => {
    const { list } = createService()
    const refused = { status: 401, code: 'invalid_token' }
    expect(await list()).toMatchObject(refused)
    expect(await list(bearer('wrong'))).toMatchObject(refused)
    // The webhook of this token is off.
    expect(await list(bearer('t'))).toMatchObject(refused)
    expect(await list({ 'x-user': 'maya' })).toMatchObject(refused)
  })

  it('shows a subject the webhooks that it may read, and its rights to each', async () => {
    const { list } = createService((subject, action, resource) => {
      if (subject?.id === 'operator') return true
      if (subject?.id !== 'deployer') return false
      return (
        resource?.kind === 'webhook' && resource.id === 'deploy' && action !== 'webhooks:cancel'
      )
    })
    expect(await list({ 'x-user': 'operator' })).toMatchObject({
      reads_all: true,
      actions: { deploy: 'read,run,cancel', signed: 'read,run,cancel' },
    })
    const deployer = await list({ 'x-user': 'deployer' })
    expect(deployer).toMatchObject({ reads_all: false })
    expect(deployer.actions).toEqual({ deploy: 'read,run' })
    expect(await list({ 'x-user': 'nobody' })).toMatchObject({ status: 403, code: 'not_allowed' })
    expect(await list()).toMatchObject({ status: 401 })
  })
})
