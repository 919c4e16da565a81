import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCli, runHere, type Serving, serveCli } from './main.fixture.ts'

const config = 'route: { receiver: team }\nreceivers: [ { name: team } ]\n'
const anyPort = '--web.listen-address=127.0.0.1:0'
let folder: string
let running: Serving[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  running = []
  write('alertmanager.yml', config)
})
afterEach(async () => {
  for (const server of running) {
    server.signal('SIGKILL')
    await server.ended
  }
  rmSync(folder, { recursive: true })
})

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

async function serve(...args: string[]): Promise<Serving> {
  const server = await serveCli(args, folder)
  running.push(server)
  return server
}

async function postAlert({ url }: Serving, alertname: string): Promise<number> {
  const response = await fetch(`${url}/api/v2/alerts`, {
    method: 'POST',
    body: JSON.stringify([{ labels: { alertname } }]),
    headers: { 'Content-Type': 'application/json' },
  })
  return response.status
}

async function getJson({ url }: Serving, path: string): Promise<unknown> {
  return (await fetch(`${url}${path}`)).json()
}

interface Status {
  readonly cluster: {
    readonly name?: string
    readonly peers: readonly { readonly name: string; readonly address: string }[]
    readonly status: string
  }
}

async function getStatus(server: Serving): Promise<Status> {
  return (await getJson(server, '/api/v2/status')) as Status
}

async function peersOf(server: Serving): Promise<string[]> {
  return (await getStatus(server)).cluster.peers.map(({ name }) => name)
}

describe('gatehouse alertmanager', () => {
  it('serves, exits with 0 on SIGTERM, and has its alerts again after a restart', async () => {
    const first = await serve('alertmanager', anyPort)
    expect(await postAlert(first, 'DiskFull')).toBe(200)
    first.signal('SIGTERM')
    expect((await first.ended).exitCode).toBe(0)
    const second = await serve('alertmanager', anyPort, '--storage.path', 'data')
    expect(await getJson(second, '/api/v2/alerts')).toMatchObject([
      { labels: { alertname: 'DiskFull' }, receivers: [{ name: 'team' }] },
    ])
  })

  it('accepts flags in both forms and follows them, such as for a log of JSON', async () => {
    const server = await serve(
      'alertmanager',
      anyPort,
      '--web.external-url=http://example.com/am/',
      '--cluster.listen-address',
      '',
      '--data.retention',
      '5d',
      '--no-log.silences',
      '--auto-gomemlimit',
      '--auto-gomemlimit.ratio=0.8',
      '--enable-feature=classic-mode',
      '--storage.memory',
      '--log.format=json',
    )
    expect(await getJson(server, '/am/api/v2/status')).toMatchObject({
      cluster: { status: 'disabled', peers: [] },
      versionInfo: { version: '0.34.0' },
    })
    expect((await fetch(`${server.url}/api/v2/status`)).status).toBe(404)
    server.signal('SIGTERM')
    const { stderr } = await server.ended
    const messages = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg)
    expect(messages).toEqual(['listening', 'stopping', 'stopped'])
  })

  it('lists the processes that share its storage until they stop', async () => {
    const first = await serve('alertmanager', anyPort, '--cluster.peer-name=first')
    const second = await serve('alertmanager', anyPort, '--cluster.peer-name=second')
    await expect.poll(() => peersOf(first)).toEqual(['first', 'second'])
    expect(await peersOf(second)).toEqual(['first', 'second'])
    expect((await getStatus(second)).cluster).toMatchObject({ name: 'second', status: 'ready' })
    const metrics = await (await fetch(`${first.url}/metrics`)).text()
    expect(metrics).toContain('alertmanager_cluster_members 2\n')

    second.signal('SIGTERM')
    expect((await second.ended).exitCode).toBe(0)
    await expect.poll(() => peersOf(first)).toEqual(['first'])
  })

  it('prints every problem of a configuration as file:line:column, exits with 1 and creates no file', async () => {
    write('alertmanager.yml', 'bogus: 1\nroute:\n  receiver: team\n  foo: 1\n')
    const { exitCode, stderr } = await runCli(['alertmanager', anyPort], folder)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^alertmanager\.yml:1:1: field bogus not found/m)
    expect(stderr).toMatch(/^alertmanager\.yml:4:3: field foo not found/m)
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  it('reports a missing configuration in one line', async () => {
    const { exitCode, stderr } = await runHere(['alertmanager', '--config.file=nope.yml'], folder)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'nope.yml: no such file or directory\n',
    })
  })

  it.each([
    [['--bogus'], "unknown option '--bogus'"],
    [['extra'], 'too many arguments'],
    [['--data.retention=5x'], 'time: unknown unit "x" in duration "5x"'],
    [['--web.listen-address=9093'], 'address 9093: missing port in address'],
    [['--log.level=loud'], 'Allowed choices are debug, info, warn, error'],
    [['--config.file'], 'argument missing'],
    [['--alerts.gc-interval=0'], 'gcIntervalMs'],
  ])('refuses %j with exit code 1', async (args, message) => {
    const { exitCode, stderr } = await runHere(['alertmanager', ...args], folder)
    expect(exitCode).toBe(1)
    expect(stderr).toContain(message)
  })

  it('prints its versions in the format of Alertmanager', async () => {
    const { exitCode, stdout } = await runHere(['alertmanager', '--version'], folder)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^alertmanager, version 0\.34\.0 \(branch: \S+, revision: \S+\)\n {2}build user: /,
    )
  })
})

describe('gatehouse alertmanager --storage.memory', () => {
  let own: string
  let server: Serving

  beforeAll(async () => {
    own = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
    writeFileSync(join(own, 'alertmanager.yml'), config)
    server = await serveCli(['alertmanager', anyPort, '--storage.memory'], own)
  })
  afterAll(async () => {
    server.signal('SIGKILL')
    await server.ended
    rmSync(own, { recursive: true })
  })

  it('writes nothing to disk', async () => {
    expect(await postAlert(server, 'DiskFull')).toBe(200)
    expect(existsSync(join(own, 'data'))).toBe(false)
  })

  it('is the only peer of its cluster, ready once it listens, unless the cluster is disabled', async () => {
    const { cluster } = await getStatus(server)
    expect(cluster).toEqual({
      name: expect.stringMatching(/^\w{26}$/),
      peers: [{ name: cluster.name, address: expect.stringMatching(/:9094$/) }],
      status: 'ready',
    })
  })

  it('answers paths outside of the API as Alertmanager does', async () => {
    const { url } = server
    const unknown = await fetch(`${url}/nope`)
    expect([unknown.status, await unknown.text()]).toEqual([404, '404 page not found\n'])
    expect(await (await fetch(`${url}/-/healthy`)).text()).toBe('OK')
  })

  it('applies a good configuration on SIGHUP or SIGUSR1, and logs a bad one and keeps the old one', async () => {
    writeFileSync(join(own, 'alertmanager.yml'), config.replaceAll('team', 'other'))
    server.signal('SIGHUP')
    await server.logged(/configuration loaded/)
    expect(await getJson(server, '/api/v2/receivers')).toMatchObject([{ name: 'other' }])

    writeFileSync(join(own, 'alertmanager.yml'), 'route: { receiver: nobody }\n')
    server.signal('SIGUSR1')
    await server.logged(/alertmanager\.yml:1:20: .*undefined receiver/)
    const reload = await fetch(`${server.url}/-/reload`, { method: 'POST' })
    expect(reload.status).toBe(500)
    expect(await getJson(server, '/api/v2/receivers')).toMatchObject([{ name: 'other' }])
  })

  it('reports a taken port in one line and exits with 1', async () => {
    const { url } = server
    const address = new URL(url).host
    const args = ['alertmanager', `--web.listen-address=${address}`, '--storage.memory']
    expect(await runCli(args, folder)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `cannot listen on ${address}: the address is already in use\n`,
    })
  })
})

describe('gatehouse api', () => {
  it('serves the services of its file, with the configuration in the same file', async () => {
    write(
      'gatehouse.yml',
      'listen: 127.0.0.1:0\nstorage: { sqlite: here.db }\nalerts:\n  config:\n    route: { receiver: team }\n    receivers: [ { name: team } ]\n',
    )
    const server = await serve('api', '--config', 'gatehouse.yml')
    expect(await postAlert(server, 'DiskFull')).toBe(200)
    expect(await getJson(server, '/api/v2/receivers')).toMatchObject([{ name: 'team' }])
    expect(existsSync(join(folder, 'here.db'))).toBe(true)
    server.signal('SIGINT')
    expect((await server.ended).exitCode).toBe(0)
  })

  it('prints problems with their places in its own file and in the included one, and exits with 2', async () => {
    write(
      'gatehouse.yml',
      'storage: { memory: true }\nalerts: { config: alertmanager.yml }\nbogus: 1\n',
    )
    const own = await runCli(['api', '--config', 'gatehouse.yml'], folder)
    expect(own.exitCode).toBe(2)
    expect(own.stderr).toBe('gatehouse.yml:3:1 bogus: unknown key "bogus"\n')

    write('gatehouse.yml', 'storage: { sqlite: here.db }\nalerts: { config: alertmanager.yml }\n')
    write('alertmanager.yml', 'route: { receiver: nobody }\n')
    const named = await runHere(['api', '--config', 'gatehouse.yml'], folder)
    expect(named.exitCode).toBe(2)
    expect(named.stderr).toContain('alertmanager.yml:1:20: ')
    expect(existsSync(join(folder, 'here.db'))).toBe(false)
  })

  it('points into its own file for an inline configuration', async () => {
    write(
      'gatehouse.yml',
      'storage: { memory: true }\nalerts:\n  config:\n    route: { receiver: nobody }\n',
    )
    const { exitCode, stderr } = await runHere(['api', '--config', 'gatehouse.yml'], folder)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('gatehouse.yml:4:24 alerts.config.route.receiver: ')
  })

  it('joins a cluster if its file says so, and listens at the address of --listen', async () => {
    const head = 'listen: 127.0.0.1:0\nstorage: { sqlite: here.db }\nalerts:\n'
    write('alone.yml', `${head}  config: alertmanager.yml\n`)
    write(
      'named.yml',
      `${head}  config: alertmanager.yml\n  cluster: { name: one, address: am:1 }\n`,
    )
    const taken = head.replace('listen: 127.0.0.1:0', 'port: 1')
    write('other.yml', `${taken}  config: alertmanager.yml\n  cluster: {}\n`)
    const alone = await serve('api', '--config', 'alone.yml')
    expect((await getStatus(alone)).cluster).toEqual({ peers: [], status: 'disabled' })
    const named = await serve('api', '--config', 'named.yml')
    expect((await getStatus(named)).cluster).toEqual({
      name: 'one',
      peers: [{ name: 'one', address: 'am:1' }],
      status: 'ready',
    })
    const other = await serve('api', '--config', 'other.yml', '--listen', '127.0.0.1:0')
    const { name, peers } = (await getStatus(other)).cluster
    expect(name).toMatch(/^\w{26}$/)
    expect(peers).toHaveLength(2)
    expect(peers).toContainEqual({ name, address: '127.0.0.1:0' })
  })
})

describe('gatehouse check-config', () => {
  it('prints the contents of a good file, as amtool does', async () => {
    const { exitCode, stdout } = await runCli(['check-config', 'alertmanager.yml'], folder)
    expect(exitCode).toBe(0)
    expect(stdout).toBe(`Checking 'alertmanager.yml'  SUCCESS
Found:
 - global config
 - route
 - 0 inhibit rules
 - 1 receivers
 - 0 templates

`)
  })

  it('resolves references to variables and files, and names those that are missing', async () => {
    write('key', 'from-a-file\n')
    write(
      'refs.yml',
      `route: { receiver: r }
receivers:
- name: r
  pagerduty_configs:
  - routing_key: \${file:key}
  - routing_key: \${env:GATEHOUSE_TEST_NOT_SET}
`,
    )
    const { exitCode, stdout } = await runHere(['check-config', 'refs.yml'], folder)
    expect(exitCode).toBe(1)
    expect(stdout).toBe(`Checking 'refs.yml'  FAILED:
refs.yml:6:18: the variable "GATEHOUSE_TEST_NOT_SET" is not set

`)
  })

  it('prints every problem of a bad one and exits with 1', async () => {
    write('bad.yml', 'route:\n  receiver: nobody\n')
    const files = ['bad.yml', 'alertmanager.yml', 'nope.yml']
    const { exitCode, stdout, stderr } = await runHere(['check-config', ...files], folder)
    expect(exitCode).toBe(1)
    expect(stdout).toContain("Checking 'bad.yml'  FAILED:\nbad.yml:2:13: ")
    expect(stdout).toContain("Checking 'alertmanager.yml'  SUCCESS\n")
    expect(stdout).toContain('nope.yml: no such file or directory\n')
    expect(stderr).toBe('failed to validate 2 file(s)\n')
  })
})
