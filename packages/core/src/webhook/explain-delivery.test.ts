import { describe, expect, it } from 'vitest'
import type { WebhookDefinition } from './config/written/webhooks-config.generated.ts'
import type { DeliverySample, ExplainedDelivery } from './explain-delivery.ts'
import { explainDelivery } from './explain-delivery.ts'
import { listRuns } from './list-runs.ts'
import { defineSender } from './senders/define-sender.ts'
import { senders } from './senders/senders.ts'
import { createFixture, type Fixture } from './service.fixture.ts'

const secret = 'a-secret-for-the-tests'
const push: WebhookDefinition = {
  id: 'push',
  execute_command: 'deploy --yes',
  workdir: '/srv',
  sender: { name: 'github', secret },
  allow_ips: ['192.0.2.0/24'],
  rules: { source: 'data.ref', equals: 'main' },
  command_arguments: [{ name: '--ref', source: 'data.ref' }],
  env: { REF: { source: 'data.ref' }, KEY: 'do-not-show' },
  files: [{ env: 'BODY', source: 'data.ref' }],
  stdin: 'body',
}
const sample: DeliverySample = {
  id: 'push',
  body: '{"ref":"main"}',
  headers: { 'content-type': 'application/json', 'X-GitHub-Delivery': 'd1' },
  address: '192.0.2.7',
}

function setUp(settings: object = {}): Fixture {
  const config = { webhooks: [{ ...push, ...settings }] }
  return createFixture({ config })
}

const explain = (change: Partial<DeliverySample> = {}, settings: object = {}) =>
  explainDelivery(setUp(settings).webhooks, { ...sample, ...change })

const shopify = senders.find(({ name }) => name === 'shopify')

const lastOf = ({ checks }: ExplainedDelivery) => checks.at(-1)

describe('explainDelivery', () => {
  it('signs a delivery, makes every check, and says what the command would be given', async () => {
    const { webhooks, runner } = setUp()
    const found = await explainDelivery(webhooks, sample)
    expect(found).toEqual({
      runs: true,
      checks: [
        { check: 'webhook', outcome: 'passed', detail: 'push is enabled' },
        {
          check: 'signing',
          outcome: 'passed',
          detail: 'signed by hmac-sha256, with X-Hub-Signature-256',
        },
        { check: 'request', outcome: 'passed', detail: 'POST with 14 bytes is accepted' },
        {
          check: 'sender',
          outcome: 'passed',
          detail: 'the proof is right (auth: signature)',
        },
        { check: 'handshake', outcome: 'passed', detail: 'not a ping or challenge' },
        { check: 'dedupe', outcome: 'passed', detail: 'repeats have the key d1' },
        { check: 'rules', outcome: 'passed', detail: 'satisfied' },
        { check: 'command', outcome: 'passed', detail: 'has all its values' },
      ],
      command: {
        argv: ['deploy', '--yes', '--ref', 'main'],
        workdir: '/srv',
        variables: { REF: 'main', KEY: '<secret>' },
        files: [{ variable: 'BODY', bytes: 4 }],
        stdin_bytes: 14,
      },
    })
    expect(JSON.stringify(found)).not.toContain(secret)
    expect(runner.commands).toEqual([])
    expect((await listRuns(webhooks)).runs).toEqual([])
  })

  it.each<readonly [string, Partial<DeliverySample>, object, string, string]>([
    ['an unknown webhook', { id: 'x' }, {}, 'webhook', 'no enabled webhook has this id'],
    ['a disabled webhook', {}, { enabled: false }, 'webhook', 'no enabled webhook'],
    ['another address', { address: '198.51.100.1' }, {}, 'request', 'address_not_allowed'],
    ['another method', { method: 'PUT' }, {}, 'request', 'method_not_allowed'],
    ['a wrong body', { body: '{' }, {}, 'request', 'invalid_json'],
    ['another secret', { key: 'another' }, {}, 'sender', 'signature_mismatch'],
    [
      'another sender',
      { ...(shopify && { sender: shopify }) },
      {},
      'sender',
      'signature_missing, expected X-Hub-Signature-256',
    ],
    [
      'a delivery that only its sender can sign',
      {},
      { sender: { name: 'aws-sns', audience: 'arn:aws:sns:eu-west-1:123456789012:orders' } },
      'signing',
      'only the sender can sign it',
    ],
    [
      'an answer that would be too long',
      { body: JSON.stringify({ ref: 'x'.repeat(70_000) }) },
      { answers: [{ when: { source: 'data.ref', exists: true }, text: '{"ref":"${data.ref}"}' }] },
      'answers',
      'argument_rejected',
    ],
    [
      'a missing value',
      {},
      { command_arguments: [{ name: '', source: 'data.image' }] },
      'command',
      'argument_missing',
    ],
  ])('says where %s is refused', async (_, change, settings, check, detail) => {
    const found = await explain(change as Partial<DeliverySample>, settings)
    expect(found).toMatchObject({ runs: false, command: null })
    expect(lastOf(found)).toEqual({
      check,
      outcome: 'refused',
      detail: expect.stringContaining(detail),
    })
  })

  it('says what is answered without a run', async () => {
    const ping = { headers: { ...sample.headers, 'X-GitHub-Event': 'ping' } }
    expect(lastOf(await explain(ping))).toMatchObject({ check: 'handshake', outcome: 'answered' })
    const skipped = await explain({ body: '{"ref":"dev"}' })
    expect(lastOf(skipped)).toMatchObject({ check: 'rules', outcome: 'answered' })
    const answers = [{ when: { source: 'data.ref', equals: 'main' }, text: 'pong' }]
    expect(lastOf(await explain({}, { answers }))).toMatchObject({ check: 'answers' })
  })

  it('sends a token as it is given, and needs a key where nothing can be signed', async () => {
    const token = 'a-token-for-the-tests'
    const settings = { sender: undefined, token }
    const wrong = await explain({}, settings)
    expect(lastOf(wrong)).toMatchObject({ check: 'sender', detail: expect.stringMatching(/token/) })
    const headers = { ...sample.headers, authorization: `Bearer ${token}` }
    const right = await explain({ headers }, settings)
    expect(right.runs).toBe(true)
    expect(JSON.stringify(right)).not.toContain(token)
    const github = senders.find(({ name }) => name === 'github')
    const unsigned = await explain({ ...(github && { sender: github }) }, settings)
    expect(lastOf(unsigned)).toMatchObject({
      check: 'signing',
      outcome: 'refused',
      detail: expect.stringContaining('checks no signature'),
    })
  })

  it('says why a program cannot be started', async () => {
    const { webhooks } = createFixture({
      config: { webhooks: [push] },
      runner: {
        start: async () => ({ problem: 'unused' }),
        close: async () => undefined,
        find: async () => ({ problem: 'the program was not found' }),
      },
    })
    expect(lastOf(await explainDelivery(webhooks, sample))).toEqual({
      check: 'command',
      outcome: 'refused',
      detail: 'the program was not found',
    })
  })

  it('takes senders of the app, and refuses what is none', async () => {
    const acme = defineSender({ name: 'acme' })
    expect((await explain({ sender: acme })).checks[1]).toMatchObject({
      detail: 'nothing is signed',
    })
    await expect(explain({ sender: { ...acme } })).rejects.toMatchObject({ reason: 'InvalidInput' })
  })
})
