import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCli, runHere, type Serving, serveCli } from '../main.fixture.ts'

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
const token = 'a-token-of-the-tests'
/** Watches look at intervals, and machines may be busy. */
const patience = { timeout: 60_000 }
let folder = ''
let running: Serving[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
})
afterEach(async () => {
  for (const server of running) {
    server.signal('SIGKILL')
    await server.ended
  }
  running = []
  rmSync(folder, { recursive: true })
})

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text, { mode: 0o600 })
}

/** A configuration with one webhook that prints a word. */
const saying = (word: string, keys = 'port: 0\n'): string => `host: 127.0.0.1
${keys}webhooks:
  - { id: say, token: ${token}, execute_command: echo ${word}, workdir: '', include_output: always }
`

async function serve(...args: string[]): Promise<Serving> {
  const server = await serveCli(['api', ...args], folder)
  running.push(server)
  return server
}

function post(url: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function said({ url }: Serving): Promise<string> {
  const answer = await post(`${url}/webhook`, { id: 'say', token })
  const { stdout }: { stdout?: string } = JSON.parse(await answer.text())
  return `${answer.status} ${stdout}`
}

async function stop(server: Serving): Promise<string> {
  server.signal('SIGTERM')
  const { exitCode, stderr } = await server.ended
  expect(exitCode).toBe(0)
  return stderr
}

describe('gatehouse api with webhooks', () => {
  it('serves them from a file it finds, logs its path, and keeps nothing without a storage', async () => {
    write('config.yaml', saying('hello'))
    const server = await serve()
    expect(await said(server)).toBe('200 hello\n')
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect(await (await fetch(`${server.url}/nope`)).json()).toMatchObject({ code: 'not_found' })
    const log = await stop(server)
    expect(log).toMatch(new RegExp(`^listening on ${server.url}$`, 'm'))
    expect(log).toContain(`file=${folder}/config.yaml`)
    expect(log).toContain('no storage is configured')
    expect(log).not.toContain(token)
  })

  it('serves good files beside a bad one, says so, and serves it once it is mended', async () => {
    const named = (id: string): string =>
      saying(id, '')
        .replace(/^host.*\n/, '')
        .replace('say', id)
    const answers = async ({ url }: Serving, id: string): Promise<number> =>
      (await post(`${url}/webhook`, { id, token })).status
    const ready = async ({ url }: Serving): Promise<unknown> =>
      (await fetch(`${url}/readyz`)).json()
    mkdirSync(join(folder, 'hooks.d'))
    write('hooks.d/a.yaml', named('a'))
    write('hooks.d/b.yaml', 'webhooks:\n  - id: b\n    tokken: x\n')
    write(
      'config.yaml',
      saying('main', "port: 0\nwatch: true\nwebhook_files: ['hooks.d/*.yaml']\n"),
    )
    const check = await runHere(['check', '--config', 'config.yaml'], folder)
    expect(check.exitCode).toBe(2)
    expect(check.stderr).toContain(`${folder}/hooks.d/b.yaml:3:5`)

    const server = await serve()
    expect([await answers(server, 'say'), await answers(server, 'a')]).toEqual([200, 200])
    expect(await answers(server, 'b')).toBe(404)
    expect(await ready(server)).toEqual({ status: 'ok', refused_files: 1 })
    write('hooks.d/b.yaml', named('b'))
    await expect.poll(() => answers(server, 'b'), patience).toBe(200)
    expect(await ready(server)).toEqual({ status: 'ok' })

    // A new file, and one that is broken later.
    write('hooks.d/c.yaml', named('c'))
    await expect.poll(() => answers(server, 'c'), patience).toBe(200)
    write('hooks.d/a.yaml', 'webhooks: [')
    await expect.poll(() => ready(server), patience).toEqual({ status: 'ok', refused_files: 1 })
    expect([await answers(server, 'a'), await answers(server, 'c')]).toEqual([200, 200])
    const log = await stop(server)
    expect(log).toContain('a file is refused: its webhooks are not served')
    expect(log).toContain('a file is refused: its webhooks stay as they were')
    expect(log).toMatch(/hooks\.d\/b\.yaml:3:5 webhooks\[0\]/)
  })

  it('runs them on alerts, and refuses a receiver whose webhook does not exist, at each reload', async () => {
    const config = (webhook: string): string => `host: 127.0.0.1
port: 0
admin: { token: ${token} }
storage: { memory: true }
webhooks:
  - id: note
    on_alert: true
    execute_command: printf %s
    workdir: ''
    command_arguments: [{ name: '', source: data.commonLabels.alertname }]
alerts:
  config:
    route: { receiver: team, group_wait: 0s }
    receivers:
      - name: team
        webhook_run_configs: [{ webhook: ${webhook} }]
`
    write('config.yaml', config('typo'))
    const refused = await runHere(['check', '--config', 'config.yaml'], folder)
    const problem = 'webhook "typo" of receiver "team": no webhook has this id'
    expect(refused.stdout + refused.stderr).toContain(problem)
    expect(refused.exitCode).not.toBe(0)
    write('config.yaml', config('note'))
    const server = await serve()
    const alert = { labels: { alertname: 'Full; id' } }
    const posted = await fetch(`${server.url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([alert]),
    })
    expect(posted.status).toBe(200)
    const headers = { authorization: `Bearer ${token}` }
    let runs: readonly { status: string; stdout: string; cause?: object }[] = []
    await expect
      .poll(
        async () => {
          const answer = await fetch(`${server.url}/runs`, { headers })
          runs = JSON.parse(await answer.text()).runs
          return runs.map(({ status }) => status)
        },
        { timeout: 30_000 },
      )
      .toEqual(['succeeded'])
    expect(runs[0]).toMatchObject({
      stdout: 'Full; id',
      cause: { type: 'alert', receiver: 'team' },
    })
    write('config.yaml', config('typo'))
    server.signal('SIGHUP')
    expect(await server.logged(/no webhook has this id/)).toContain('typo')
    await stop(server)
  })

  it('prefers flags to its file', async () => {
    write('config.yaml', saying('hello', 'port: 1\n'))
    const server = await serve('--port=0', '--log-format=json', '--log-level=info')
    expect(await said(server)).toBe('200 hello\n')
    const [ready, ...lines] = (await stop(server)).trim().split('\n').toSorted()
    expect(ready).toMatch(/^listening on /)
    expect(lines.map((line) => JSON.parse(line).msg)).toContain('stopped')
  })

  it('listens at a socket file, and removes it at the end', async () => {
    write('config.yaml', saying('hello', 'socket: run.sock\n'))
    const server = await serve()
    const path = join(folder, 'run.sock')
    await server.logged(new RegExp(`^listening on unix:${path}$`))
    expect(statSync(path).mode & 0o777).toBe(0o660)
    const status = await new Promise((resolve, reject) => {
      request({ socketPath: path, path: '/healthz' }, (incoming) => resolve(incoming.statusCode))
        .once('error', reject)
        .end()
    })
    expect(status).toBe(200)
    await stop(server)
    expect(existsSync(path)).toBe(false)
  })

  it('serves TLS with its own files, and exits with 1 if one cannot be read', async () => {
    const tls = (cert: string): string =>
      `port: 0\ntls: { cert: ${cert}, key: ${fixtures}server.key }\n`
    write('config.yaml', saying('hello', tls(`${fixtures}server.pem`)))
    const { url } = await serve()
    const status = await new Promise((resolve, reject) => {
      secureRequest(`${url}/healthz`, { rejectUnauthorized: false }, (incoming) =>
        resolve(incoming.statusCode),
      )
        .once('error', reject)
        .end()
    })
    expect(status).toBe(200)
    write('config.yaml', saying('hello', tls('nope.pem')))
    const refused = await runHere(['api'], folder)
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: `tls.cert: ${folder}/nope.pem: no such file or directory\n`,
    })
  })

  it('warns of probable mistakes, in alertmanager.yml, too', async () => {
    const strange = `webhooks:\n  - { id: a, token: short, execute_command: ./gone, workdir: '' }\n`
    const slack = `route: { receiver: a }\nreceivers:\n- name: a\n  slack_configs: [{ api_url: <secret> }]\n`
    write('alertmanager.yml', slack)
    const alerts = 'storage: { memory: true }\nalerts: { config: alertmanager.yml }\n'
    write('config.yaml', `port: 0\n${strange}${alerts}`)
    chmodSync(join(folder, 'config.yaml'), 0o644)
    const log = await stop(await serve())
    expect(log).toContain(`${folder}/config.yaml contains secrets and every user can read it`)
    expect(log).toContain('TLS is off')
    expect(log).toMatch(/webhooks\[0\]\.token: .*16/)
    expect(log).toMatch(/config\.yaml:3:\d+ webhooks\[0\]\.execute_command: /)
    expect(log).not.toContain('token=')
    expect(log).toContain(`${folder}/alertmanager.yml:4:30: <secret> stands in place of a secret`)
  })

  it('keeps running after the reader of its log is gone', async () => {
    write('config.yaml', saying('hello'))
    const server = await serve()
    server.deafen()
    for (let i = 0; i < 20; i++) expect(await said(server)).toBe('200 hello\n')
    server.signal('SIGTERM')
    expect((await server.ended).exitCode).toBe(0)
  })
})

describe('the requests and responses of gatehouse api with webhooks', () => {
  let own = ''
  let server: Serving

  beforeAll(async () => {
    own = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
    const limits = 'port: 0\nlimits: { max_body_bytes: 1KiB, request_timeout: 300ms }\n'
    const flow = `  - { id: flow, token: ${token}, execute_command: 'echo one; read line; echo $line', workdir: '', mode: stream, stdin: data }\n`
    writeFileSync(join(own, 'config.yaml'), `${saying('hello', limits)}${flow}`, { mode: 0o600 })
    server = await serveCli(['api'], own)
  })
  afterAll(async () => {
    expect(await stop(server)).not.toMatch(/^ {4}at /m)
    rmSync(own, { recursive: true })
  })

  it('refuses a body that is too large before it is sent', async () => {
    for (const path of ['/webhook', '/webhook/say']) {
      const status = await new Promise((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${token}`,
          'content-length': 1025,
          expect: '100-continue',
        }
        const sent = request(`${server.url}${path}`, { method: 'POST', headers }, (answer) => {
          resolve(answer.statusCode)
          sent.destroy()
        })
        sent.once('continue', () => resolve('100')).once('error', reject)
        sent.flushHeaders()
      })
      expect(status).toBe(413)
    }
  })

  it('streams a response while its command runs', async () => {
    const answer = await post(`${server.url}/webhook`, {
      id: 'flow',
      token,
      data: { a: 1 },
    })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('one\n{"a":1}\n')
  })

  it('answers 408 and closes the connection if a request does not arrive in time', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write('POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"id":')
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s)
    expect(await said(server)).toBe('200 hello\n')
  })

  it('refuses a body that is too large before it has arrived, and closes the connection', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(`POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: ${400e6}\r\n\r\n{`)
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*"code":"body_too_large"/s)
    expect(await said(server)).toBe('200 hello\n')
  })
})

describe('gatehouse api with webhooks and alerts', () => {
  let own = ''
  let server: Serving

  beforeAll(async () => {
    own = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
    const alertmanager = 'route: { receiver: team }\nreceivers: [ { name: team } ]\n'
    writeFileSync(join(own, 'alertmanager.yml'), alertmanager)
    const alerts = '{ config: alertmanager.yml, allowed_origins: [https://karma.example.com] }'
    const more = `port: 0\nallowed_hosts: [alerts.test]\nstorage: { sqlite: here.db }\nalerts: ${alerts}\n`
    writeFileSync(join(own, 'config.yaml'), saying('hello', more), { mode: 0o600 })
    server = await serveCli(['api'], own)
  })
  afterAll(async () => {
    await stop(server)
    rmSync(own, { recursive: true })
  })

  it('serves both, and alerts keep their paths', async () => {
    expect(await said(server)).toBe('200 hello\n')
    const alerts = [{ labels: { alertname: 'DiskFull' } }]
    expect((await post(`${server.url}/api/v2/alerts`, alerts)).status).toBe(200)
    expect(await (await fetch(`${server.url}/nope`)).text()).toBe('404 page not found\n')
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('alertmanager_alerts')
    expect(metrics).toMatch(/^process_resident_memory_bytes \d/m)
    expect(metrics).toContain('gatehouse_webhook_runs_total{id="say",status="succeeded"} 1')
    expect(existsSync(join(own, 'here.db'))).toBe(true)
  })

  it('refuses pages of other sites, by host and by origin', async () => {
    const ask = (method: string, path: string, headers: Record<string, string>) =>
      new Promise<readonly [number | undefined, string | undefined]>((resolve, reject) => {
        const sent = request(`${server.url}${path}`, { method, headers }, (answer) => {
          answer.resume()
          resolve([answer.statusCode, answer.headers['access-control-allow-origin']])
        })
        sent.on('error', reject).end()
      })
    for (const path of ['/api/v2/status', '/metrics', '/healthz', '/nothing']) {
      expect((await ask('GET', path, { host: 'evil.example' }))[0]).toBe(421)
    }
    const warning = await server.logged(/requests for this host are refused/)
    expect(warning).toMatch(/allowed_hosts: \[.*evil\.example/)
    expect((await ask('GET', '/api/v2/status', { host: 'alerts.test' }))[0]).toBe(200)
    expect((await ask('GET', '/api/v2/status', { host: 'localhost:1' }))[0]).toBe(200)
    const evil = { origin: 'https://evil.example' }
    expect(await ask('GET', '/api/v2/status', evil)).toEqual([200, undefined])
    expect((await ask('POST', '/-/reload', evil))[0]).toBe(403)
    expect((await ask('POST', '/-/reload', {}))[0]).toBe(200)
    const karma = 'https://karma.example.com'
    expect(await ask('GET', '/api/v2/status', { origin: karma })).toEqual([200, karma])
  })
})

describe('a reload of gatehouse api', () => {
  it('by SIGHUP or SIGUSR1 applies a good configuration, and logs which changes take effect only at the next start', async () => {
    write('config.yaml', saying('zero'))
    const server = await serve()
    for (const [signal, word] of [
      ['SIGHUP', 'one'],
      ['SIGUSR1', 'two'],
    ] as const) {
      write('config.yaml', saying(word))
      server.signal(signal)
      await server.logged(/configuration loaded/)
      expect(await said(server)).toBe(`200 ${word}\n`)
    }
    write('config.yaml', saying('three', 'port: 1\nstorage: { sqlite: here.db }\n'))
    server.signal('SIGHUP')
    await server.logged(/where it listens .* has changed/)
    await server.logged(/storage has changed/)
    expect(await said(server)).toBe('200 three\n')
    expect(existsSync(join(folder, 'here.db'))).toBe(false)
    expect(await stop(server)).not.toContain('Debugger')
  })

  it('changes nothing if anything is wrong, even in another service', async () => {
    const alerts = 'route: { receiver: team }\nreceivers: [ { name: team } ]\n'
    write('alertmanager.yml', alerts)
    const more =
      'port: 0\nmetrics: true\nstorage: { memory: true }\nalerts: { config: alertmanager.yml }\n'
    write('config.yaml', saying('one', more))
    const server = await serve()
    write('config.yaml', saying('two', more))
    write('alertmanager.yml', 'route: { receiver: nobody }\n')
    server.signal('SIGHUP')
    await server.logged(/alertmanager\.yml:1:20: .*undefined receiver/)
    expect(await said(server)).toBe('200 one\n')
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('gatehouse_config_last_reload_successful 0\n')

    write('alertmanager.yml', alerts)
    server.signal('SIGHUP')
    await server.logged(/configuration loaded/)
    expect(await said(server)).toBe('200 two\n')
  })

  it('that is refused logs each problem once, whichever service it concerns', async () => {
    const config = (receiver: string, tokenKey: string): string => `host: 127.0.0.1
port: 0
storage: { memory: true }
alerts:
  config: { route: { receiver: team }, receivers: [{ name: ${receiver} }] }
webhooks:
  - { id: say, ${tokenKey}: ${token}, execute_command: echo hello, workdir: '' }
`
    write('config.yaml', config('team', 'token'))
    const server = await serve()
    write('config.yaml', config('team', 'tokken'))
    server.signal('SIGHUP')
    await server.logged(/did you mean .*token/)
    write('config.yaml', config('other', 'token'))
    server.signal('SIGHUP')
    await server.logged(/undefined receiver/)
    expect((await fetch(`${server.url}/-/reload`, { method: 'POST' })).status).toBe(500)
    write('config.yaml', config('team', 'token'))
    server.signal('SIGHUP')
    await server.logged(/configuration loaded/)
    const lines = (await stop(server)).split('\n')
    const count = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length
    expect(count(/tokken/)).toBe(1)
    // By the signal, and by the request.
    expect(count(/undefined receiver/)).toBe(2)
  })

  it('happens by itself with watch, for a file that is written, replaced or broken', async () => {
    write('secret', `${token}\n`)
    const own = (word: string): string => saying(word).replace(token, `"\${file:secret}"`)
    write('config.yaml', own('one'))
    const server = await serve('--watch')
    write('config.yaml', own('two'))
    await server.logged(/configuration loaded/)
    expect(await said(server)).toBe('200 two\n')
    write('new.yaml', own('three'))
    renameSync(join(folder, 'new.yaml'), join(folder, 'config.yaml'))
    await server.logged(/configuration loaded/)
    expect(await said(server)).toBe('200 three\n')
    write('config.yaml', 'webhooks: no\n')
    await server.logged(/reload failed/)
    expect(await said(server)).toBe('200 three\n')
    write('config.yaml', own('four'))
    await server.logged(/configuration loaded/)
    write('secret', 'another-token-of-the-tests\n')
    await server.logged(/configuration loaded/)
    expect(await said(server)).toBe('401 undefined')
  })
})

describe('the problems of gatehouse api', () => {
  it('are those that gatehouse check prints about the file as it is now', async () => {
    const alerts = 'alerts: { config: { route: { receiver: a }, receivers: [{ name: a }] } }'
    const file = (program: string): string => `host: 127.0.0.1
port: 0
storage: { memory: true }
${alerts}
webhooks:
  - { id: say, token: ${token}, execute_command: ${program}, workdir: '' }
`
    write('gatehouse.yml', file('no-such-program'))
    const server = await serve('--config', 'gatehouse.yml')
    const messages = async (): Promise<readonly string[]> => {
      const answer = await fetch(`${server.url}/gatehouse/v1/server-status`)
      const { problems } = JSON.parse(await answer.text()) as { problems: { message: string }[] }
      return problems.map(({ message }) => message)
    }
    const printed = async (): Promise<string> =>
      (await runHere(['check', '--config', 'gatehouse.yml'], folder)).stderr
    const [missing = ''] = (await messages()).filter((text) => text.includes('execute_command'))
    expect(await printed()).toContain(missing)
    expect(missing).toContain('the program is not in PATH')
    write('gatehouse.yml', `${file('echo hello')}no_such_key: 1\n`)
    const changed = (): Promise<string> => messages().then((all) => all.join('\n'))
    await expect.poll(changed, { timeout: 60_000 }).toContain('no_such_key: unknown key')
    expect(await changed()).not.toContain('PATH')
  })
})

describe('gatehouse check', () => {
  it('reports a good file, and prints warnings', async () => {
    write('config.yaml', saying('hello').replace('echo hello', './gone'))
    const lax = await runCli(['check'], folder)
    expect(lax).toMatchObject({ exitCode: 0, stdout: `${folder}/config.yaml is good: 1 webhook\n` })
    expect(lax.stderr).toMatch(/^warning: .*config\.yaml:4:\d+ webhooks\[0\]\.execute_command: /m)
    const strict = await runHere(['check', '--strict'], folder)
    expect(strict).toMatchObject({ exitCode: 2, stdout: '' })
    expect(strict.stderr).toMatch(/^\S*config\.yaml:4:\d+ webhooks\[0\]\.execute_command: /m)
  })

  it('prints every problem and opens nothing', async () => {
    write('c.yml', 'prot: 1\nstorage: { sqlite: here.db }\nwebhooks: [{ id: a }]\n')
    const { exitCode, stdout, stderr } = await runHere(['check', '--config', 'c.yml'], folder)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr.trim().split('\n')).toEqual([
      'c.yml:1:1 prot: unknown key "prot"; did you mean "port"?',
      expect.stringMatching(/^c\.yml:3:\d+ webhooks\[0\]\.token: /),
      expect.stringMatching(/^c\.yml:3:\d+ webhooks\[0\]\.execute_command: /),
      expect.stringMatching(/^c\.yml:3:\d+ webhooks\[0\]\.workdir: /),
    ])
    expect(existsSync(join(folder, 'here.db'))).toBe(false)
  })
})

describe('gatehouse hash', () => {
  const abc = 'a9993e364706816aba3e25717850c26c9cd0d89d\n'

  it('prints the hash of a text, or of the bytes of standard input', async () => {
    expect(await runHere(['hash', 'abc'], folder)).toEqual({ exitCode: 0, stdout: abc, stderr: '' })
    expect(await runCli(['hash'], folder, 'abc')).toEqual({ exitCode: 0, stdout: abc, stderr: '' })
    expect((await runHere(['hash', ''], folder)).stdout).toMatch(/^da39a3ee/)
  })
})

describe('gatehouse', () => {
  it.each([
    [['chek'], 2, /unknown command 'chek'\n\(Did you mean check\?\)/],
    [['api', '--confg', 'x'], 2, /unknown option '--confg'\n\(Did you mean --config\?\)/],
    [['api', 'extra'], 2, /too many arguments/],
    [['check', '--stric'], 2, /Did you mean --strict/],
    [['--bogus'], 2, /unknown option/],
    [[], 2, /api/],
  ] as const)('refuses %j with %d and a suggestion', async (args, code, message) => {
    const { exitCode, stdout, stderr } = await runHere(args, folder)
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' })
    expect(stderr).toMatch(message)
  })
})
