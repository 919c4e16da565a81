import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Ended, runCli, runHere } from '../main.fixture.ts'

const secret = 'a-secret-for-the-tests'
const token = 'a-token-for-the-tests'
const config = `
webhooks:
  - id: push
    sender: { name: github, secret: ${secret} }
    execute_command: touch
    workdir: .
    command_arguments: [{ name: "", source: data.file }]
    env: { FILE: { source: data.file }, KEY: hidden-text }
  - { id: plain, token: ${token}, execute_command: "true", workdir: "." }
`
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-webhook-'))
  writeFileSync(join(folder, 'config.yaml'), config)
  writeFileSync(join(folder, 'body.json'), '{"file":"made\\u001b[31m"}')
})
afterEach(() => rmSync(folder, { recursive: true }))

const test = (...args: readonly string[]): Promise<Ended> =>
  runHere(['webhook', 'test', ...args], folder)

describe('gatehouse webhook test', () => {
  it('signs the delivery of a file, and shows each check and the command', async () => {
    const { exitCode, stdout, stderr } = await runCli(
      ['webhook', 'test', 'push', '--sender', 'github', '--body', 'body.json'],
      folder,
    )
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toContain('passed  signing: signed by hmac-sha256, with X-Hub-Signature-256\n')
    expect(stdout).toContain('passed  sender: the proof is right (auth: signature)\n')
    // A value of the body cannot color the terminal.
    expect(stdout).toContain('  argument 1: "made\\u001b[31m"\n')
    expect(stdout).toContain('  KEY="<secret>"\n')
    expect(stdout).not.toContain(secret)
    const json = await test('push', '--body', 'body.json', '--json')
    const { runs, command } = JSON.parse(json.stdout)
    expect(runs).toBe(true)
    expect(command.argv).toEqual([expect.stringMatching(/touch$/), 'made\u001b[31m'])
  })

  it('exits with 1 for what would be refused, and says why', async () => {
    writeFileSync(join(folder, 'other'), 'another-secret')
    const args = ['push', '--body', 'body.json', '--key-file', 'other']
    const { exitCode, stdout } = await test(...args)
    expect(exitCode).toBe(1)
    expect(stdout).toContain('refused  sender: invalid signature: signature_mismatch')
    expect(stdout).toContain('It would run nothing.')
  })

  it('exits with 0 for a ping, which is answered without a run', async () => {
    const args = ['push', '--body', 'body.json', '--header', 'X-GitHub-Event=ping']
    const { exitCode, stdout } = await test(...args)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('answered  handshake:')
  })

  it('sends the token of a file', async () => {
    expect((await test('plain')).stdout).toContain('refused  sender: invalid token')
    writeFileSync(join(folder, 'token'), `${token}\n`)
    const { exitCode, stdout } = await test('plain', '--token-file', 'token')
    expect(exitCode).toBe(0)
    expect(stdout).not.toContain(token)
  })

  it('exits with 2 if the configuration or the body cannot be read', async () => {
    expect((await test('push', '--config', 'none.yaml')).exitCode).toBe(2)
    expect((await test('push', '--body', 'none.json')).exitCode).toBe(2)
    expect((await test('push', '--sender', 'nobody')).exitCode).toBe(2)
  })
})
