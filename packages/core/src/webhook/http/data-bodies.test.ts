import { createHmac } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createFixture, webhookNamed } from '../service.fixture.ts'
import { createSender, type SentRequest } from './routes.fixture.ts'

/** A service with one webhook, whose commands end at once, and the command of its last run. */
function createService(settings: object) {
  const config = { webhooks: [webhookNamed('job', settings)], log: { run_output: false } }
  const fixture = createFixture({ config, script: (command) => command.end() })
  const sender = createSender(fixture.webhooks.routes)
  const send = async (sent: Partial<SentRequest>) => {
    const headers = { authorization: 'Bearer t', ...sent.headers }
    const response = await sender({ path: '/webhook/job', ...sent, headers })
    const { code, message } = JSON.parse(await response.text())
    return { status: response.status, code, message }
  }
  const last = () => fixture.runner.commands.at(-1)?.command
  return { ...fixture, send, last }
}

const ofValue = { command_arguments: [{ source: 'data.ref', format: 'value' }] }
const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

describe('a compressed body', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ] as const)('by %s is read like any other', async (encoding, compress) => {
    const { send, last } = createService({ ...ofValue, stdin: 'body' })
    const headers = { 'content-encoding': encoding }
    expect(await send({ headers, body: compress(json({ ref: 'main' })) })).toMatchObject({
      status: 200,
    })
    expect(last()?.args).toEqual(['main'])
    expect(String(Buffer.from(last()?.stdin ?? []))).toBe('{"ref":"main"}')
  })

  it('is signed as it was before', async () => {
    const signature = { scheme: 'github', secret: 'gh-secret-of-a-test' }
    const { send } = createService({ ...ofValue, signature })
    const body = json({ ref: 'main' })
    const sign = (bytes: Uint8Array): Record<string, string> => ({
      ...gzip,
      'x-hub-signature-256': `sha256=${createHmac('sha256', signature.secret).update(bytes).digest('hex')}`,
    })
    expect((await send({ headers: sign(body), body: gzipSync(body) })).status).toBe(200)
    expect((await send({ headers: sign(gzipSync(body)), body: gzipSync(body) })).status).toBe(401)
  })

  it('must not be too large once it is read, and holds nothing then', async () => {
    const { send, webhooks, runner } = createService({ ...ofValue, max_body_bytes: 1_000 })
    const bomb = gzipSync(Buffer.alloc(500_000, ' '))
    expect(bomb.length).toBeLessThan(1_000)
    expect(await send({ headers: gzip, body: bomb })).toMatchObject({
      status: 413,
      code: 'body_too_large',
    })
    expect(webhooks.bodies.open().resize(64 * 2 ** 20)).toBe(true)
    expect(runner.commands).toHaveLength(0)
  })

  it('counts as much as it is long against all bodies together', async () => {
    const limits = { body_total_bytes: 10_000 }
    const config = { webhooks: [webhookNamed('job', ofValue)], limits }
    const { webhooks } = createFixture({ config, script: (command) => command.end() })
    const send = createSender(webhooks.routes)
    const body = gzipSync(json({ ref: 'main', more: 'x'.repeat(20_000) }))
    const headers = { ...gzip, authorization: 'Bearer t' }
    expect((await send({ path: '/webhook/job', headers, body })).status).toBe(503)
    expect(webhooks.bodies.open().resize(10_000)).toBe(true)
  })

  it.each([
    [gzip, json({ ref: 'main' }), 400],
    [{ ...gzip, 'content-encoding': 'br' }, json({ ref: 'main' }), 415],
    [{ ...gzip, 'content-encoding': 'gzip, gzip' }, gzipSync(gzipSync(json({}))), 415],
  ])('that is something else is refused (%j)', async (headers, body, status) => {
    const { send, runner } = createService(ofValue)
    expect((await send({ headers, body })).status).toBe(status)
    expect(runner.commands).toHaveLength(0)
  })
})

describe('a form with files', () => {
  const type = 'multipart/form-data; boundary=XX'
  const body = Buffer.concat([
    Buffer.from('--XX\r\nContent-Disposition: form-data; name="payload"\r\n\r\n{"ref":"main"}\r\n'),
    Buffer.from(
      '--XX\r\nContent-Disposition: form-data; name="up"; filename="-x;$(id).bin"\r\n\r\n',
    ),
    Buffer.from([0, 255, 254]),
    Buffer.from('\r\n--XX--\r\n'),
  ])
  const settings = {
    accept: ['multipart'],
    form: { json: ['payload'] },
    command_arguments: [{ source: 'data.payload.ref', format: 'value' }],
    files: [{ env: 'UPLOAD', source: 'file:up' }],
  }

  it('gives them to the run, byte for byte', async () => {
    const { send, last } = createService({ ...settings, execute_command: 'cat' })
    expect((await send({ headers: { 'content-type': type }, body })).status).toBe(200)
    expect(last()?.args).toEqual(['main'])
    expect(last()?.env.UPLOAD).toMatch(/^\/.*\/gatehouse-\w+\/0$/)
  })

  it('gives the name of a file only as the rules of arguments allow', async () => {
    const name = { source: 'data.up.filename', format: 'value' }
    const refused = createService({ ...settings, command_arguments: [name] })
    expect(await refused.send({ headers: { 'content-type': type }, body })).toMatchObject({
      status: 422,
    })
    const allowed = createService({
      ...settings,
      command_arguments: [{ ...name, allow_dash: true }],
    })
    await allowed.send({ headers: { 'content-type': type }, body })
    expect(allowed.last()?.args).toEqual(['-x;$(id).bin'])
  })

  it('has a limit for each file', async () => {
    const file = { env: 'UPLOAD', source: 'file:up', max_length: 2 }
    const { send, runner } = createService({ ...settings, files: [file] })
    expect(await send({ headers: { 'content-type': type }, body })).toMatchObject({
      status: 422,
      code: 'argument_rejected',
      message: expect.stringContaining('more than 2 bytes'),
    })
    expect(runner.commands).toHaveLength(0)
  })

  it('says which file is missing', async () => {
    const { send } = createService({ ...settings, files: [{ env: 'F', source: 'file:other' }] })
    expect(await send({ headers: { 'content-type': type }, body })).toMatchObject({
      status: 422,
      code: 'argument_missing',
      message: 'variable F (file:other) is missing',
    })
  })
})

it('a body of any type reaches the command as it is', async () => {
  const { send, last } = createService({ accept: ['json', 'any'], stdin: 'body' })
  const headers = { 'content-type': 'image/png' }
  expect((await send({ headers, body: Uint8Array.of(0, 255, 10) })).status).toBe(200)
  expect([...(last()?.stdin ?? [])]).toEqual([0, 255, 10])
  expect((await send({ headers: { 'content-type': 'application/json' }, body: '{' })).status).toBe(
    400,
  )
})

it('XML and JSON as plain text are data', async () => {
  const { send, last } = createService({ ...ofValue, accept: ['xml', 'text'] })
  await send({ headers: { 'content-type': 'text/plain; charset=UTF-8' }, body: '{"ref":"a"}' })
  expect(last()?.args).toEqual(['a'])
  const xml = createService({
    accept: ['xml'],
    command_arguments: [{ source: 'data.push.commit.-id', format: 'value' }],
  })
  await xml.send({ headers: { 'content-type': 'text/xml' }, body: '<push><commit id="7"/></push>' })
  expect(xml.last()?.args).toEqual(['7'])
})
