// The systems that are compared: Alertmanager, and Gatehouse on two stores.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '../lib/client.mjs'
import { startServer } from '../lib/server.mjs'
import { config } from './data.mjs'

/** @typedef {'alertmanager' | 'sqlite' | 'memory'} SystemId */

/**
 * @typedef {object} System
 * @property {SystemId} id
 * @property {string} program
 * @property {string[]} leading arguments before the flags
 * @property {string[]} trailing arguments after the flags
 */

/**
 * A started system.
 *
 * @typedef {object} Running
 * @property {SystemId} id
 * @property {number} port
 * @property {number} pid
 * @property {import('../lib/client.mjs').Client} client
 * @property {() => number} peakMemoryKiB
 * @property {() => Promise<void>} stop
 */

const peer = 'prometheus-alertmanager'
const main = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))
const gatehouse = { program: process.execPath, leading: [main, 'alertmanager'] }

/** @type {System} */
const alertmanager = { id: 'alertmanager', program: peer, leading: [], trailing: [] }

/** @type {System[]} */
const gatehouses = [
  { id: 'sqlite', ...gatehouse, trailing: [] },
  { id: 'memory', ...gatehouse, trailing: ['--storage.memory'] },
]

/**
 * The systems that can be measured here, Alertmanager first. Reports missing ones on stderr.
 *
 * @param {boolean} peerOnly
 * @returns {System[]}
 */
export function availableSystems(peerOnly) {
  const available = []
  try {
    execFileSync(peer, ['--version'], { stdio: 'ignore' })
    available.push(alertmanager)
  } catch {
    console.error(`${peer} is not installed: no ratios.`)
  }
  if (!peerOnly && existsSync(main)) available.push(...gatehouses)
  else if (!peerOnly) console.error('packages/cli is not built (npm run build): no Gatehouse.')
  if (available.length === 0) throw new Error('nothing to measure')
  return available
}

/**
 * Starts a system with an empty storage in a folder of its own.
 *
 * @param {System} system
 * @param {(config: string) => string} [change] of the configuration
 * @returns {Promise<Running>}
 */
export async function startSystem({ id, program, leading, trailing }, change = (same) => same) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const file = join(folder, 'alertmanager.yml')
  writeFileSync(file, change(config))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  try {
    const server = await startServer(program, (port) => [
      ...leading,
      `--config.file=${file}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      ...trailing,
    ])
    const client = createClient(server.port, 4)
    return {
      id,
      port: server.port,
      pid: server.pid,
      client,
      peakMemoryKiB: server.peakMemoryKiB,
      async stop() {
        client.close()
        await server.stop()
        removeFolder()
      },
    }
  } catch (error) {
    removeFolder()
    throw error
  }
}
