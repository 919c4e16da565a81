import { spawn } from 'node:child_process'
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { itWith, systemdSocketBinary } from '../../../test-support/binaries.ts'
import { freePort } from '../../../test-support/free-port.mjs'
import { main, type Serving, serveCli } from '../src/main.fixture.ts'
import { temporaryFolder } from './support/server.ts'

let folder = ''
let server: Serving | undefined
const opened: Server[] = []
const connections: Socket[] = []
const files: number[] = []

beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.destroy()
  for (const file of files.splice(0)) closeSync(file)
  leaveToServer()
  server?.signal('SIGTERM')
  await server?.ended
  server = undefined
  rmSync(folder, { recursive: true })
})

/** Node.js tells descriptors here only. */
function descriptorOf(socket: object): number {
  const { _handle: handle } = socket as { readonly _handle: { readonly fd: number } }
  return handle.fd
}

/** A socket as a service manager opens it. */
interface Opened {
  readonly fd: number
  readonly port: number
}

async function open(at: { readonly host: string } | { readonly path: string }): Promise<Opened> {
  const socket = createServer()
  opened.push(socket)
  await new Promise<void>((resolve) =>
    socket.listen('path' in at ? at : { ...at, port: 0 }, resolve),
  )
  const bound = socket.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return { fd: descriptorOf(socket), port }
}

/** The path of a Unix socket, and its descriptor. Its file stays when this process closes the socket. */
async function openFile(): Promise<{ readonly fd: number; readonly path: string }> {
  const first = join(folder, 'first.sock')
  const path = join(folder, 'run.sock')
  const { fd } = await open({ path: first })
  renameSync(first, path)
  return { fd, path }
}

/** This process must not take the connections. The server has copies of the descriptors once it is started. */
const leaveToServer = (): void => {
  for (const socket of opened.splice(0)) socket.close()
}

/** Starts the server at a place that is taken, unless it uses the sockets. */
async function start(
  sockets: readonly number[],
  { args = [], more = '' }: { readonly args?: readonly string[]; readonly more?: string } = {},
): Promise<Serving> {
  const taken = await open({ host: '127.0.0.1' })
  writeFileSync(
    join(folder, 'config.yaml'),
    `listen: 127.0.0.1:${taken.port}
storage: { sqlite: gatehouse.db }
webhooks:
  - id: show
    token: a-token-of-the-tests
    execute_command: env; ls /proc/self/fd
    workdir: ${folder}
    include_output: always
    pass_env: ['*']
${more}`,
  )
  const started = serveCli(['api', '--config', 'config.yaml', ...args], folder, sockets)
  leaveToServer()
  server = await started
  return server
}

interface Asked {
  readonly path?: string
  readonly host?: string
  readonly body?: object
}

/** Sends a request on a connection of its own. */
function ask(
  to: { readonly port: number } | { readonly socketPath: string },
  { path = '/-/ready', host = 'localhost', body }: Asked = {},
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host, ...(body && { 'content-type': 'application/json' }) }
    const method = body === undefined ? 'GET' : 'POST'
    const answered = (response: IncomingMessage): void => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    }
    const sent = request(
      { host: '127.0.0.1', ...to, path, method, headers, agent: false },
      answered,
    )
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter((one) => one !== '')
      .map(Number),
  )

describe('sockets of a service manager', () => {
  it('are served in place of the address of the file, with any host, their addresses logged, and a file that stays', async () => {
    const [one, two] = [await open({ host: '127.0.0.1' }), await open({ host: '::1' })]
    const file = await openFile()
    const serving = await start([one.fd, two.fd, file.fd])
    expect(serving.url).toBe(`http://127.0.0.1:${one.port}`)
    await serving.logged(new RegExp(`address=.?http://\\[::1\\]:${two.port}`))
    await serving.logged(/address=.?fd:5/)
    expect((await ask({ port: one.port })).status).toBe(200)
    expect((await ask({ socketPath: file.path })).status).toBe(200)
    // There may be a proxy at the file.
    expect((await ask({ port: one.port }, { host: 'hooks.example' })).status).toBe(200)
    serving.signal('SIGTERM')
    expect((await serving.ended).exitCode).toBe(0)
    expect(readdirSync(folder)).toContain('run.sock')
  })

  it('keep a connection that is made before the server serves, and at loopback addresses alone accept the hosts of this machine only', async () => {
    const { fd, port } = await open({ host: '127.0.0.1' })
    const serving = start([fd])
    const early = ask({ port })
    await serving
    expect((await early).status).toBe(200)
    expect((await ask({ port }, { host: 'evil.example' })).status).toBe(421)
    expect((await ask({ port })).status).toBe(200)
  })

  it('open to the network draw the warning about TLS', async () => {
    const { fd, port } = await open({ host: '0.0.0.0' })
    const serving = await start([fd])
    expect((await ask({ port }, { host: 'hooks.example' })).status).toBe(200)
    serving.signal('SIGTERM')
    expect((await serving.ended).stderr).toContain('TLS is off')
  })

  it('are not passed on to commands, and neither are their variables', async () => {
    const { fd, port } = await open({ host: '127.0.0.1' })
    await start([fd])
    const body = { id: 'show', token: 'a-token-of-the-tests' }
    const { text } = await ask({ port }, { path: '/webhook', body })
    const { stdout } = JSON.parse(text)
    expect(stdout).toContain('GATEHOUSE_WEBHOOK_ID=show')
    expect(stdout).not.toMatch(/LISTEN_|GATEHOUSE_WORKER/)
    // The folder that "ls" reads is at 3, so nothing else is.
    expect(stdout).toMatch(/\n0\n1\n2\n/)
    expect(stdout).not.toMatch(/\n4\n/)
  })

  it('are ignored with a warning if they are for another process', async () => {
    writeFileSync(join(folder, 'config.yaml'), 'listen: 127.0.0.1:0\nwebhooks: []\n')
    process.env.LISTEN_FDS = '1'
    process.env.LISTEN_PID = '1'
    try {
      server = await serveCli(['api', '--config', 'config.yaml'], folder)
    } finally {
      delete process.env.LISTEN_FDS
      delete process.env.LISTEN_PID
    }
    expect((await fetch(`${server.url}/-/ready`)).status).toBe(200)
    server.signal('SIGTERM')
    expect((await server.ended).stderr).toContain(
      'LISTEN_FDS is ignored: it is for another process',
    )
  })

  it('are not used, with a warning, if a flag says where to listen', async () => {
    const { fd, port } = await open({ host: '127.0.0.1' })
    const serving = await start([fd], { args: ['--listen=127.0.0.1:0'] })
    expect(serving.url).not.toBe(`http://127.0.0.1:${port}`)
    expect((await fetch(`${serving.url}/-/ready`)).status).toBe(200)
    serving.signal('SIGTERM')
    expect((await serving.ended).stderr).toContain('(LISTEN_FDS) are not used, because a flag')
  })

  it('serve gatehouse alertmanager too', async () => {
    const { fd, port } = await open({ host: '127.0.0.1' })
    writeFileSync(join(folder, 'a.yml'), 'route: { receiver: a }\nreceivers: [{ name: a }]\n')
    const args = ['alertmanager', '--config.file=a.yml', '--storage.memory']
    const started = serveCli(args, folder, [fd])
    leaveToServer()
    server = await started
    expect((await ask({ port })).status).toBe(200)
    expect((await ask({ port }, { host: 'evil.example' })).status).toBe(421)
  })

  it.each([
    ['a file', openedFile, 'is not a stream socket'],
    ['a connection', connected, 'is a connection: set Accept=no'],
  ])('are refused with a sentence if one is %s', async (_, openOther, sentence) => {
    const { fd } = await open({ host: '127.0.0.1' })
    await expect(serveCli(['api'], folder, [fd, await openOther()])).rejects.toThrow(
      `descriptor 4 (LISTEN_FDS) ${sentence}`,
    )
  })

  it('are shared by workers, stay with those that are left when one ends, and are given back once none is left', async () => {
    const { fd, port } = await open({ host: '127.0.0.1' })
    const file = await openFile()
    const serving = await start([fd, file.fd], { args: ['--workers=2'] })
    const numbers = async (): Promise<readonly (string | undefined)[]> => {
      const { text } = await ask({ port }, { path: '/metrics' })
      return [...text.matchAll(/^process_open_fds\{worker="(\d+)"\}/gm)]
        .map(([, one]) => one)
        .sort()
    }
    await expect.poll(numbers).toEqual(['1', '2'])
    expect((await ask({ socketPath: file.path })).status).toBe(200)
    const [first = 0] = childrenOf(serving.pid)
    process.kill(first, 'SIGKILL')
    await serving.logged(/msg="a worker ended: replacing it"/)
    expect((await ask({ port })).status).toBe(200)
    await expect.poll(() => childrenOf(serving.pid)).not.toContain(first)
    for (const pid of childrenOf(serving.pid)) process.kill(pid, 'SIGKILL')
    const { exitCode, stderr } = await serving.ended
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the last worker that listened ended')
  })
})

describe('systemd-socket-activate', () => {
  itWith([systemdSocketBinary], 'starts the server with the first connection', async () => {
    const port = await freePort()
    writeFileSync(join(folder, 'config.yaml'), 'webhooks: []\n')
    const flags = [`--listen=127.0.0.1:${port}`, `--listen=${join(folder, 'run.sock')}`]
    const program = [process.execPath, main, 'api', '--config', join(folder, 'config.yaml')]
    const child = spawn('systemd-socket-activate', [...flags, ...program])
    const ended = new Promise((resolve) => child.once('exit', resolve))
    let log = ''
    child.stderr.on('data', (chunk) => {
      log += chunk
    })
    await expect.poll(() => log).toContain('run.sock as 4')
    expect((await ask({ port })).status).toBe(200)
    expect((await ask({ socketPath: join(folder, 'run.sock') })).status).toBe(200)
    expect(log).toContain(`listening on http://127.0.0.1:${port}`)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})

async function openedFile(): Promise<number> {
  const file = openSync('/dev/null', 'r')
  files.push(file)
  return file
}

/** The descriptor of a connection that a socket has accepted. */
async function connected(): Promise<number> {
  const { port } = await open({ host: '127.0.0.1' })
  const accepted = new Promise<Socket>((resolve) => opened.at(-1)?.once('connection', resolve))
  const client = connect(port, '127.0.0.1').on('error', () => {})
  connections.push(client, await accepted)
  return descriptorOf(await accepted)
}
