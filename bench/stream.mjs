// What a stream of changes costs: the processor time of a change with and without listeners, its delay, and the memory of a listener.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { alertBatches } from './alerts/data.mjs'
import { availableSystems, startSystem } from './alerts/systems.mjs'
import { readOptions, wholeNumber } from './lib/options.mjs'
import { median, table } from './lib/table.mjs'

const usage = `npm run bench -- stream [options]

  --alerts N      how many alerts fire (default 10000)
  --listeners N   how many listen (default 100)
  --changes N     how many alerts change, one after the other (default 200)
  --rounds N      how many rounds, each with a fresh server (default 3)
  --json          the figures as JSON`

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: {
      alerts: { type: 'string', default: '10000' },
      listeners: { type: 'string', default: '100' },
      changes: { type: 'string', default: '200' },
    },
  })
  if (values === undefined) return
  const sizes = {
    alerts: wholeNumber('alerts', values.alerts),
    listeners: wholeNumber('listeners', values.listeners),
    changes: wholeNumber('changes', values.changes),
  }
  const count = wholeNumber('rounds', values.rounds)
  const system = availableSystems(false).find(({ id }) => id === 'sqlite')
  if (system === undefined) throw new Error('packages/cli is not built')
  const rounds = []
  for (let round = 0; round < count; round++) {
    console.error(`round ${round + 1} of ${count}`)
    rounds.push(await measure(system, sizes))
  }
  if (values.json) return console.log(JSON.stringify({ sizes, rounds }, undefined, 2))
  const names = Object.keys(rounds[0] ?? {})
  const rows = names.map((name) => [name, median(rounds.map((one) => one[name])).toFixed(2)])
  console.log(`\nmedians of ${count} rounds\n\n${table([['measure', 'Gatehouse'], ...rows])}`)
}

/** @param {import('./alerts/systems.mjs').System} system @param {Record<'alerts' | 'listeners' | 'changes', number>} sizes */
async function measure(system, { alerts, listeners: wanted, changes }) {
  const server = await startSystem(system)
  const listeners = []
  try {
    const times = { startsAt: Date.now(), endsAt: Date.now() + 3_600_000 }
    for (const batch of alertBatches(alerts, times))
      await server.client.post('/api/v2/alerts', batch)
    await change(server, [], changes, 'warm')
    const alone = await change(server, [], changes, 'alone')
    listeners.push(await listen(server.port))
    await change(server, listeners, changes, 'first')
    const one = await change(server, listeners, changes, 'one')
    const before = residentKiB(server.pid)
    while (listeners.length < wanted) listeners.push(await listen(server.port))
    const opened = residentKiB(server.pid)
    const all = await change(server, listeners, changes, 'all')
    return {
      'CPU of a change, no listener, ms': alone.cpuMs,
      'CPU of a change, one listener, ms': one.cpuMs,
      [`CPU of a change, ${wanted} listeners, ms`]: all.cpuMs,
      'CPU of each further listener, µs': ((all.cpuMs - one.cpuMs) * 1_000) / (wanted - 1),
      'delay until the last listener has it, median, ms': all.delayMs,
      'memory of a listener, KiB': (opened - before) / (wanted - 1),
    }
  } finally {
    for (const { close } of listeners) close()
    await server.stop()
  }
}

/**
 * Posts new alerts, each once all listeners have the one before.
 *
 * @param {import('./alerts/systems.mjs').Running} server
 * @param {readonly Listener[]} listeners
 * @param {number} count
 * @param {string} series
 */
async function change({ client, pid }, listeners, count, series) {
  const cpuBefore = cpuMs(pid)
  const delays = []
  for (let index = 0; index < count; index++) {
    const name = `Change-${series}-${index}`
    const seen = listeners.map(({ sees }) => sees(name))
    const over = performance.now()
    await client.post(
      '/api/v2/alerts',
      Buffer.from(JSON.stringify([{ labels: { alertname: name } }])),
    )
    await Promise.all(seen)
    delays.push(performance.now() - over)
    // As far apart in all series, so that each change is one of its own.
    await sleep(60)
  }
  return { cpuMs: (cpuMs(pid) - cpuBefore) / count, delayMs: median(delays) }
}

/**
 * @typedef {object} Listener
 * @property {(text: string) => Promise<void>} sees resolves once the text has arrived
 * @property {() => void} close
 */

/** @param {number} port @returns {Promise<Listener>} */
async function listen(port) {
  const socket = connect(port, '127.0.0.1')
  /** @type {{ text: string, found: () => void } | undefined} */
  let waiting
  const sees = (/** @type {string} */ text) =>
    new Promise((/** @type {(value: void) => void} */ resolve) => {
      waiting = { text, found: resolve }
    })
  let tail = ''
  socket.on('data', (/** @type {Buffer} */ chunk) => {
    tail = (tail + chunk.toString('latin1')).slice(-20_000)
    if (waiting === undefined || !tail.includes(waiting.text)) return
    waiting.found()
    waiting = undefined
  })
  const isReady = sees('event: ready')
  socket.write('GET /gatehouse/v1/changes?types=alerts HTTP/1.1\r\nhost: x\r\n\r\n')
  await isReady
  return { sees, close: () => socket.destroy() }
}

/** @param {number} pid the processor time of a process, in ms */
function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** @param {number} pid */
function residentKiB(pid) {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
