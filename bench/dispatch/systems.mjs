// The systems that are compared, started with a receiver to notify.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../lib/client.mjs'
import { startServer } from '../lib/server.mjs'
import { makeFolder } from '../storage/folder.mjs'
import { processorMs, processWith } from './process-usage.mjs'

/** @typedef {import('../alerts/systems.mjs').System} System */

/**
 * @typedef {object} Timing of all groups, as durations of the configuration
 * @property {string} wait
 * @property {string} interval
 * @property {string} repeat
 */

/**
 * @typedef {object} Running
 * @property {(alerts: readonly object[]) => Promise<void>} post posts a hundred with each request
 * @property {() => number} processorMs
 * @property {() => number} peakMemoryKiB
 * @property {() => Promise<void>} stop
 */

const alertsPerPost = 100

/**
 * Starts a system with an empty storage.
 *
 * @param {System} system
 * @param {{ url: string, timing: Timing }} options
 * @returns {Promise<Running>}
 */
export async function startSystem({ program, leading, trailing }, { url, timing }) {
  const folder = makeFolder()
  const file = join(folder.path, 'alertmanager.yml')
  writeFileSync(file, configOf(url, timing))
  try {
    const server = await startServer(program, (port) => [
      ...leading,
      `--config.file=${file}`,
      `--storage.path=${join(folder.path, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      ...trailing,
    ])
    const pid = processWith(`--config.file=${file}`)
    const client = createClient(server.port, 2)
    return {
      async post(alerts) {
        const bodies = []
        for (let first = 0; first < alerts.length; first += alertsPerPost) {
          bodies.push(Buffer.from(JSON.stringify(alerts.slice(first, first + alertsPerPost))))
        }
        for (const body of bodies) {
          const { status } = await client.post('/api/v2/alerts', body)
          if (status !== 200) throw new Error(`POST /api/v2/alerts answered ${status}`)
        }
      },
      processorMs: () => processorMs(pid),
      peakMemoryKiB: server.peakMemoryKiB,
      async stop() {
        client.close()
        await server.stop()
        folder.remove()
      },
    }
  } catch (error) {
    folder.remove()
    throw error
  }
}

/**
 * @param {string} url
 * @param {Timing} timing
 */
const configOf = (url, { wait, interval, repeat }) => `
route:
  receiver: counting
  group_by: [alertname, cluster]
  group_wait: ${wait}
  group_interval: ${interval}
  repeat_interval: ${repeat}
receivers:
- name: counting
  webhook_configs: [ { url: '${url}' } ]
`
