// The servers that are compared: the program `webhook`, Gatehouse, and a program that embeds Gatehouse.
import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from '../lib/server.mjs'
import { makeFolder } from '../storage/folder.mjs'
import { postBytes } from './load.mjs'

/** @typedef {import('./host.mjs').HostSettings} HostSettings */

/**
 * A started server.
 *
 * @typedef {object} Running
 * @property {number} port
 * @property {number} pid
 * @property {(webhook: string, token?: string, data?: object) => Buffer} request that requests a run (default: with the right token,
 *   and without data)
 * @property {() => Promise<void>} stop
 */

const peer = 'webhook'
const builtMain = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))
const host = fileURLToPath(new URL('host.mjs', import.meta.url))
const bare = fileURLToPath(new URL('bare.mjs', import.meta.url))

export const goodToken = 'c2f0a1e7d94b4c8e'
export const wrongToken = 'c2f0a1e7d94b4c8f'
export const adminToken = 'a-token-for-the-list-of-runs'

/** How commands are started; each has a webhook of its own. */
export const executors = /** @type {const} */ (['auto', 'launcher', 'direct'])

/** How many requests run at once, in measures with more than one. */
export const connections = 16

/** The length of the queue of the webhook `burst` and of the history. */
const roomForBurst = 200_000

/** @param {object} webhook */
const always = (webhook) => ({
  token: goodToken,
  execute_command: '/bin/true',
  workdir: '/',
  concurrency: 0,
  include_output: 'always',
  ...webhook,
})

/**
 * How much Gatehouse does at once: `same` starts as many commands as are requested, like the program webhook, which has no limit;
 * `usual` has the default limits; `long` also has a long queue, and keeps all records.
 *
 * @typedef {'same' | 'usual' | 'long'} Bounds
 */

/** @type {Readonly<Record<Bounds, object>>} */
const bounds = {
  same: { limits: { concurrency: connections } },
  usual: {},
  long: { limits: { queue: roomForBurst }, history: { max_runs: roomForBurst } },
}

/** The configuration of Gatehouse; JSON is YAML. @param {Bounds} bounded */
const configOf = (bounded = 'same') => ({
  metrics: true,
  admin: { token: adminToken },
  ...bounds[bounded],
  webhooks: [
    ...executors.map((executor) => always({ id: executor, executor })),
    always({ id: 'async', mode: 'async', ...(bounded === 'long' ? { queue: roomForBurst } : {}) }),
  ],
})

/** @param {string} id @param {boolean} isSync */
const hook = (id, isSync) => ({
  id,
  'execute-command': '/bin/true',
  'command-working-directory': '/',
  'include-command-output-in-response': isSync,
  'trigger-rule': {
    match: {
      type: 'value',
      value: goodToken,
      parameter: { source: 'payload', name: 'token' },
    },
  },
})

/**
 * Whether the program `webhook` is installed; reports on stderr if not.
 *
 * @returns {boolean}
 */
export function hasPeer() {
  try {
    execFileSync(peer, ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    console.error(`${peer} is not installed: no ratios.`)
    return false
  }
}

/**
 * Starts the program `webhook`, whose hooks have the same names as our webhooks.
 *
 * @param {{ writesLog?: boolean }} [options] whether it logs its requests, as Gatehouse does (default false)
 */
export async function startPeer({ writesLog = false } = {}) {
  const hooks = [...executors.map((id) => hook(id, true)), hook('async', false)]
  return start(hooks, {
    program: peer,
    argumentsFor: (file, port) => [
      ...['-hooks', file, '-ip', '127.0.0.1', '-port', `${port}`],
      ...(writesLog ? ['-verbose'] : []),
    ],
    readyPath: '/',
    request: (id, token = goodToken, data = {}) => postBytes(`/hooks/${id}`, { token, data }),
  })
}

/** @typedef {{ main?: string, bounds?: Bounds }} GatehouseOptions */

/** Starts `gatehouse api`. @param {GatehouseOptions} options its program (default: the built one), and its bounds */
export async function startGatehouse({ main = builtMain, bounds: bounded }) {
  if (!existsSync(main)) throw new Error('packages/cli is not built: npm run build')
  return start(configOf(bounded), {
    program: process.execPath,
    argumentsFor: (file, port) => [main, 'api', '--config', file, '--listen', `127.0.0.1:${port}`],
    readyPath: '/readyz',
    request: ourRequest,
  })
}

/** Starts a program that embeds Gatehouse and holds buffers. @param {Omit<HostSettings, 'port' | 'config'>} settings */
export async function startHost(settings) {
  return start(configOf(), {
    program: process.execPath,
    argumentsFor: (file, port) => [
      '--expose-gc',
      host,
      JSON.stringify({ ...settings, port, config: file }),
    ],
    readyPath: '/readyz',
    request: ourRequest,
  })
}

/** Starts a `node:http` server that does only the unavoidable work: see bare.mjs. */
export async function startBare() {
  return start([], {
    program: process.execPath,
    argumentsFor: (_, port) => [bare, `${port}`],
    readyPath: '/',
    request: ourRequest,
  })
}

/** @type {Running['request']} */
const ourRequest = (id, token = goodToken, data = {}) => postBytes('/webhook', { id, token, data })

/**
 * @param {unknown} config
 * @param {{ program: string, argumentsFor: (file: string, port: number) => string[], readyPath: string, request: Running['request'] }} options
 * @returns {Promise<Running>}
 */
async function start(config, { program, argumentsFor, readyPath, request }) {
  const folder = makeFolder()
  const file = join(folder.path, 'config.json')
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  const output = openSync(join(folder.path, 'log'), 'a')
  try {
    const options = { readyPath, output }
    const server = await startServer(program, (port) => argumentsFor(file, port), options)
    return {
      port: server.port,
      pid: server.pid,
      request,
      async stop() {
        await server.stop()
        folder.remove()
      },
    }
  } catch (error) {
    folder.remove()
    throw error
  } finally {
    closeSync(output)
  }
}
