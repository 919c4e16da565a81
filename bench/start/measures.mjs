// Measures of processes that have just started. Each returns its figures by name.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../test-support/free-port.mjs'
import { startReceiver } from '../dispatch/receiver.mjs'
import { createClient } from '../lib/client.mjs'

/** @typedef {import('./systems.mjs').Contender} Contender */
/** @typedef {[name: string, value: number][]} Figures */

/** @param {Contender} system @returns {Promise<Figures>} */
export async function measureVersion({ program, version }) {
  const startedAt = performance.now()
  execFileSync(program, version, { stdio: 'ignore' })
  return [['--version, ms', performance.now() - startedAt]]
}

/** Ready with an empty storage, its memory when idle, and ready again with many records. @param {Contender} system @returns {Promise<Figures>} */
export async function measureReady(system) {
  return inFolder(async (folder) => {
    const empty = await startProcess(system, folder)
    await pause(2_000)
    /** @type {Figures} */
    const figures = [
      ['ready, ms', empty.readyMs],
      ['ready, ms of CPU', empty.readyCpuMs],
      ['memory when idle, MiB', memoryMiB(empty.pid)],
    ]
    if (system.sends) await fill(empty.port)
    await empty.stop()
    if (!system.sends) return figures
    const full = await startProcess(system, folder)
    await full.stop()
    return [
      ...figures,
      ['ready with 10,000 alerts, ms', full.readyMs],
      ['ready with 10,000 alerts, ms of CPU', full.readyCpuMs],
    ]
  })
}

/** The delay after `group_wait` of one second. @param {Contender} system @returns {Promise<Figures>} */
export async function measureFirstNotification(system) {
  if (!system.sends) return []
  const receiver = await startReceiver()
  try {
    return await inFolder(async (folder) => {
      const { port, stop } = await startProcess(system, folder, receiver.url)
      const client = createClient(port, 1)
      await pause(1_000)
      const startedAt = performance.now()
      const heard = receiver.heardOf(1, 20_000)
      await client.post('/api/v2/alerts', Buffer.from('[{"labels":{"alertname":"first"}}]'))
      await heard
      const delayMs = performance.now() - startedAt - 1_000
      client.close()
      await stop()
      return [['first notification after 1 s, ms', delayMs]]
    })
  } finally {
    await receiver.stop()
  }
}

/** @template T @param {(folder: string) => Promise<T>} work */
async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {Contender} system @param {string} folder */
async function startProcess(system, folder, receiver = 'http://127.0.0.1:9/') {
  const port = await freePort()
  const args = system.prepare(folder, port, receiver)
  const startedAt = performance.now()
  const child = spawn(system.program, args, { stdio: 'ignore' })
  const pid = child.pid ?? 0
  const ended = once(child, 'exit')
  while (!(await isReady(port, system.readyPath))) {
    if (child.exitCode !== null) throw new Error(`${system.id} ended with ${child.exitCode}`)
    if (performance.now() - startedAt > 30_000) child.kill('SIGKILL')
    await pause(1)
  }
  return {
    port,
    pid,
    readyMs: performance.now() - startedAt,
    readyCpuMs: cpuMs(pid),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** By one plain connection, which costs less than a client. @param {number} port @param {string} path @returns {Promise<boolean>} */
const isReady = (port, path) =>
  new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    })
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(/^HTTP\/1\.1 (?:200|404)/.test(text)))
  })

/** The processor time of all threads, finer than the ticks of `stat`. @param {number} pid */
function cpuMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, one) => sum + one, 0) / 1e6
}

/** Resident memory. @param {number} pid */
const memoryMiB = (pid) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

/** Posts 10,000 alerts and 1,000 silences. @param {number} port */
async function fill(port) {
  const client = createClient(port, 4)
  const endsAt = '2099-01-01T00:00:00Z'
  for (let batch = 0; batch < 100; batch++) {
    const alerts = Array.from({ length: 100 }, (_, index) => ({
      labels: { alertname: `alert-${batch}`, instance: `host-${index}`, severity: 'warning' },
      annotations: { summary: `the disk of host-${index} is almost full` },
      endsAt,
    }))
    await client.post('/api/v2/alerts', Buffer.from(JSON.stringify(alerts)))
  }
  for (let index = 0; index < 1_000; index++) {
    const matchers = [{ name: 'instance', value: `other-${index}`, isRegex: false, isEqual: true }]
    const silence = {
      matchers,
      startsAt: '2024-01-01T00:00:00Z',
      endsAt,
      createdBy: 'a',
      comment: 'b',
    }
    await client.post('/api/v2/silences', Buffer.from(JSON.stringify(silence)))
  }
  client.close()
}
