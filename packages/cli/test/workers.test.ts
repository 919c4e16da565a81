import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCli, runHere, type Serving, serveCli } from '../src/main.fixture.ts'
import { until } from './support/poll.ts'
import { temporaryFolder } from './support/server.ts'

const file = (receiver: string): string => `
listen: 127.0.0.1:0
storage: { sqlite: gatehouse.db }
alerts:
  cluster: {}
  config:
    route: { receiver: ${receiver} }
    receivers: [{ name: ${receiver} }]
`
let folder = ''
let server: Serving | undefined

beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  server?.signal('SIGTERM')
  await server?.ended
  server = undefined
  rmSync(folder, { recursive: true })
})

/** Starts the server, and waits until all workers listen. */
async function startIn(path: string, workers: number): Promise<Serving> {
  writeFileSync(join(path, 'config.yaml'), file('team'))
  const args = ['api', '--config', join(path, 'config.yaml'), '--workers', `${workers}`]
  const serving = await serveCli(args, path)
  await haveAll(serving, workers)
  return serving
}

async function start(workers: number): Promise<Serving> {
  server = await startIn(folder, workers)
  return server
}

/** Each request has its own connection, so the workers take turns. */
async function ask({ url }: Serving, path: string, method = 'GET'): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => resolve([response.statusCode ?? 0, text]))
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** What several requests answer, without repetitions. */
async function answers(serving: Serving, path: string): Promise<readonly string[]> {
  const found = new Set<string>()
  for (let turn = 0; turn < 6; turn++) found.add((await ask(serving, path))[1])
  return [...found]
}

/** The first receiver of each configuration that is in force. */
async function receivers(serving: Serving): Promise<readonly string[]> {
  const texts = await answers(serving, '/api/v2/receivers')
  return texts.map((text) => JSON.parse(text)[0].name)
}

/** Waits until all workers serve, and returns their process ids. */
async function haveAll(serving: Serving, workers: number): Promise<readonly number[]> {
  const expected = Array.from({ length: workers }, (_, index) => `${index + 1}`)
  await until(`workers ${expected} serve`, async () => {
    const [, text] = await ask(serving, '/metrics')
    const found = [...text.matchAll(/^process_open_fds\{worker="(\d+)"\}/gm)].map(([, one]) => one)
    return found.sort().join() === expected.join() || undefined
  })
  return childrenOf(serving.pid)
}

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter((one) => one !== '')
      .map(Number),
  )

describe('gatehouse api --workers, while it runs', () => {
  let shared = ''
  let serving: Serving

  beforeAll(async () => {
    shared = await temporaryFolder()
    serving = await startIn(shared, 3)
  })
  afterAll(async () => {
    serving.signal('SIGTERM')
    await serving.ended
    rmSync(shared, { recursive: true })
  })

  it('serves from several processes at one port, over one storage', async () => {
    expect(childrenOf(serving.pid)).toHaveLength(3)
    const alert = [{ labels: { alertname: 'DiskFull' } }]
    await fetch(`${serving.url}/api/v2/alerts`, {
      method: 'POST',
      body: JSON.stringify(alert),
      headers: { 'Content-Type': 'application/json' },
    })
    await expect
      .poll(async () =>
        (await answers(serving, '/api/v2/alerts')).map((text) => JSON.parse(text).length),
      )
      .toEqual([1])
    const [, metrics] = await ask(serving, '/metrics')
    expect(metrics.match(/^# TYPE process_open_fds /gm)).toHaveLength(1)
  })

  it('replaces a worker that was killed, and keeps serving meanwhile', async () => {
    const before = childrenOf(serving.pid)
    process.kill(before[0] ?? 0, 'SIGKILL')
    await serving.logged(/msg="a worker ended: replacing it" .*signal=SIGKILL/)
    expect((await ask(serving, '/-/ready'))[0]).toBe(200)
    const after = await haveAll(serving, 3)
    expect(after).toHaveLength(3)
    expect(after).toEqual(expect.arrayContaining(before.slice(1)))
    expect(after).not.toContain(before[0])
  })

  it('reloads every worker, by a signal and by a request to one of them', async () => {
    writeFileSync(join(shared, 'config.yaml'), file('second'))
    serving.signal('SIGHUP')
    await expect.poll(() => receivers(serving)).toEqual(['second'])
    writeFileSync(join(shared, 'config.yaml'), file('third'))
    expect((await ask(serving, '/-/reload', 'POST'))[0]).toBe(200)
    await expect.poll(() => receivers(serving)).toEqual(['third'])
  })

  // The last test of this server.
  it('stops all workers and exits with 0, also if a signal goes to the whole group', async () => {
    const workers = childrenOf(serving.pid)
    for (const pid of workers) process.kill(pid, 'SIGTERM')
    expect((await ask(serving, '/-/ready'))[0]).toBe(200)
    serving.signal('SIGTERM')
    expect((await serving.ended).exitCode).toBe(0)
    for (const pid of workers) expect(existsSync(`/proc/${pid}`)).toBe(false)
  })
})

describe('gatehouse api --workers', () => {
  it('stops its workers when the first process is killed', async () => {
    const serving = await start(2)
    const workers = childrenOf(serving.pid)
    serving.signal('SIGKILL')
    await expect.poll(() => workers.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
  })

  it('prints a problem of the file once, and exits with the code of one process', async () => {
    writeFileSync(join(folder, 'config.yaml'), 'lisen: 1\n')
    const { exitCode, stderr } = await runCli(['api', '--workers=3'], folder)
    expect(exitCode).toBe(2)
    expect(stderr.match(/unknown key "lisen"/g)).toHaveLength(1)
  })

  it('serves a socket file, which it removes at the end', async () => {
    const socket = join(folder, 'run.sock')
    const text = file('team').replace('listen: 127.0.0.1:0', `socket: ${socket}`)
    writeFileSync(join(folder, 'config.yaml'), text)
    const serving = await serveCli(['api', '--workers=2'], folder)
    server = serving
    await serving.logged(/msg=listening/)
    const status = await new Promise((resolve, reject) => {
      const sent = request({ socketPath: socket, path: '/-/ready', agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.once('error', reject)
      sent.end()
    })
    expect(status).toBe(200)
    serving.signal('SIGTERM')
    expect((await serving.ended).exitCode).toBe(0)
    expect(existsSync(socket)).toBe(false)
  })

  it.each([
    ['api', '--config', 'config.yaml'],
    ['alertmanager', '--storage.memory', '--config.file=config.yaml'],
  ])('refuses a storage in memory: %s', async (...args) => {
    writeFileSync(join(folder, 'config.yaml'), 'storage: { memory: true }\nwebhooks: []\n')
    const { exitCode, stderr } = await runCli([...args, '--workers=2'], folder)
    expect(exitCode).toBe(args[0] === 'api' ? 2 : 1)
    expect(stderr).toContain('--workers needs a storage in a file or in PostgreSQL')
  })

  it('refuses another number', async () => {
    const { exitCode, stderr } = await runHere(['api', '--workers=0'], folder)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('workers must be a number from 1 to 64')
  })
})
