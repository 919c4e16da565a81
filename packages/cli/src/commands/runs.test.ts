import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { nodeAdapter } from '@gatehouse/adapter-node'
import {
  createWebhooks,
  type Running,
  startWebhooks,
  triggerWebhook,
  type WebhooksContext,
} from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Ended, runCli, runHere } from '../main.fixture.ts'

const token = 'token-of-the-tests-1'
const admin = 'token-of-the-tests-2'
let folder: string
let webhooks: WebhooksContext
let running: Running
let server: Server
let flags: readonly string[]

const webhook = (id: string, script: string, more: object = {}) => ({
  id,
  token,
  execute_command: script,
  workdir: '',
  ...more,
})

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-runs-'))
  writeFileSync(join(folder, 'token'), `${token}\n`)
  writeFileSync(join(folder, 'admin'), `${admin}\n`)
  webhooks = createWebhooks({
    storage: createMemoryStorage(),
    environment: process.env,
    logger: false,
    config: {
      base_path: '/hooks',
      admin: { token: admin },
      webhooks: [
        webhook('greet', 'echo "hello $1"; echo careful >&2', {
          command_arguments: [{ name: '', source: 'data.name' }],
        }),
        webhook('fails', 'echo before; exit 7'),
        webhook('killed', 'kill -KILL $$'),
        webhook('text', 'echo out', { mode: 'async', response: { text: 'OK' } }),
        webhook('main-only', 'true', { rules: { source: 'data.ref', equals: 'main' } }),
      ],
    },
  })
  running = startWebhooks(webhooks)
  server = createServer(nodeAdapter(webhooks.routes))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  flags = ['--url', url, '--token-file']
})
afterEach(async () => {
  server.close()
  server.closeAllConnections()
  await running.stop()
  rmSync(folder, { recursive: true })
})

const run = (...args: readonly string[]): Promise<Ended> =>
  runHere(['run', ...args, ...flags, 'token'], folder)
const runs = (...args: readonly string[]): Promise<Ended> =>
  runHere(['runs', ...args, ...flags, 'admin'], folder)

describe('gatehouse run', () => {
  it('shows the output on the streams of the command', async () => {
    const args = ['run', 'greet', 'name=Ann; id', ...flags, 'token']
    expect(await runCli(args, folder)).toEqual({
      exitCode: 0,
      stdout: 'hello Ann; id\n',
      stderr: 'careful\n',
    })
  })

  it('takes data from a file or standard input, and values over it', async () => {
    writeFileSync(join(folder, 'data.json'), '{ "name": "Ben" }')
    expect((await run('greet', '--data', 'data.json')).stdout).toBe('hello Ben\n')
    expect((await run('greet', '--data', 'data.json', 'name=Cy=d')).stdout).toBe('hello Cy=d\n')
    const args = ['run', 'greet', '--data', '-', ...flags, 'token']
    expect((await runCli(args, folder, '{"name":"Eve"}')).stdout).toBe('hello Eve\n')
  })

  it('exits with the exit code of the run, or 128 + n after a signal', async () => {
    const failed = await run('fails')
    expect(failed).toMatchObject({ exitCode: 7, stdout: 'before\n' })
    expect(failed.stderr).toMatch(/^run run_\w+ failed: exit code 7\n$/)
    const killed = await run('killed')
    expect(killed.exitCode).toBe(137)
    expect(killed.stderr).toMatch(/failed \(SIGKILL|failed \(signal/)
  })

  it('shows the output of a webhook that answers its sender with a text', async () => {
    expect(await run('text')).toMatchObject({ exitCode: 0, stdout: 'out\n' })
  })

  it('says when there is no run', async () => {
    const { exitCode, stdout, stderr } = await run('main-only', 'ref=dev')
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(stderr).toContain('no run')
  })

  it('exits with 2 and the reason if the server refuses, or the data is wrong', async () => {
    const refused = await runHere(['run', 'greet', 'name=a', ...flags, 'admin'], folder)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('invalid token')
    expect(refused.stderr).not.toContain(admin)
    expect(await run('greet', 'Ann')).toMatchObject({ exitCode: 2, stdout: '' })
    writeFileSync(join(folder, 'data.json'), '[1]')
    expect((await run('greet', '--data', 'data.json')).stderr).toContain('must be a JSON object')
  })

  it('prints lines of JSON', async () => {
    const { stdout } = await run('fails', '--json')
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events).toContainEqual({ type: 'stdout', text: 'before\n' })
    expect(events.at(-1)).toMatchObject({ type: 'end', run: { id: 'fails', exit_code: 7 } })
  })
})

describe('gatehouse runs', () => {
  it('lists runs, newest first, by webhook and status', async () => {
    await triggerWebhook(webhooks, 'greet', { name: 'a' })
    await triggerWebhook(webhooks, 'fails')
    const { exitCode, stdout } = await runs()
    expect(exitCode).toBe(0)
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^20\S+Z {2}run_\w+ {2}fails {2}failed \(exit code 7\) {2}\d+\.\d s$/),
      expect.stringMatching(/^20\S+Z {2}run_\w+ {2}greet {2}succeeded {2}\d+\.\d s$/),
    ])
    expect((await runs('--webhook', 'greet')).stdout).not.toContain('fails')
    const page = await runs('--status', 'failed', '--json')
    const { runs: found } = JSON.parse(page.stdout)
    expect(found).toMatchObject([{ id: 'fails', status: 'failed' }])
    expect(found[0]).not.toHaveProperty('stdout')
  })

  it('says how a list continues', async () => {
    const { id: run_id } = (await triggerWebhook(webhooks, 'fails')) as { id: string }
    await triggerWebhook(webhooks, 'fails')
    const { stderr } = await runs('--limit', '1')
    const [, before = ''] = /--before (\S+)/.exec(stderr) ?? []
    expect((await runs('--before', before)).stdout).toContain(run_id)
  })

  it('refuses the token of a webhook for all runs', async () => {
    const { exitCode, stderr } = await runHere(['runs', ...flags, 'token'], folder)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('invalid token')
  })
})

describe('gatehouse runs follow', () => {
  it('shows the output of a run from its beginning, and exits like the run', async () => {
    const { id: run_id } = (await triggerWebhook(webhooks, 'fails')) as { id: string }
    const args = ['runs', 'follow', run_id, ...flags, 'admin']
    const { exitCode, stdout } = await runCli(args, folder)
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: 'before\n' })
  })

  it('prints a line for each change', async () => {
    const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
    const args = [main, 'runs', 'follow', '--webhook', 'fails', ...flags, 'token']
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      // A client that connects late hears of no earlier run. Run the webhook until the client hears of one.
      const lines = createInterface({ input: child.stdout })
      const heard = new Promise<string>((resolve) => lines.once('line', resolve))
      let line: string | undefined
      void heard.then((text) => {
        line = text
      })
      while (line === undefined) await triggerWebhook(webhooks, 'fails')
      expect(line).toMatch(/^20\S+Z {2}run_\w+ {2}fails {2}/)
    } finally {
      child.kill()
    }
  })
})
