// Measures of a server's memory and leftovers: after a burst, with a large body, and after many runs.
import { connect } from 'node:net'
import { expectStatus, load } from './load.mjs'
import { warmUp, withServers } from './measures.mjs'
import { descendants, descriptors, processorMs, watchMemory } from './process-tree.mjs'
import {
  adminToken,
  connections,
  executors,
  goodToken,
  startGatehouse,
  startHost,
  startPeer,
} from './systems.mjs'

/** @typedef {import('./measures.mjs').Measure} Measure */
/** @typedef {import('./systems.mjs').Running} Running */

const burstSeconds = 3

/** @type {Measure} */
export async function measureBurst({ hasPeer, main }, tell) {
  await withServers(async (start) => {
    const roomy = await start(startGatehouse({ main, bounds: 'long' }))
    const usual = await start(startGatehouse({ main, bounds: 'usual' }))
    const peer = hasPeer ? await start(startPeer()) : undefined
    const theirs = peer && (await burst(peer))
    const ours = await burst(roomy)
    const inBounds = await burst(usual)
    const accepted = (ours.statuses.get(202) ?? 0) / ours.seconds
    tell({ name: 'G4 accepted', value: accepted, reference: theirs?.rate })
    tell({ name: 'G4 CPU', value: ours.processorMs, reference: theirs?.processorMs })
    tell({ name: 'G4 memory', value: ours.growthMiB, reference: theirs?.growthMiB })
    tell({ name: 'G4 answers', value: inBounds.rate, reference: theirs?.rate })
    tell({ name: 'G4 memory in bounds', value: inBounds.growthMiB, reference: theirs?.growthMiB })
    const all = ours.statuses.get(202) ?? 0
    tell({ name: 'G4 ended', value: (100 * (await endedRuns(roomy, all))) / all })
  })
}

/** @param {Running} server */
async function burst(server) {
  const { port, pid, request } = server
  await warmUp(server, 'auto')
  const growth = watchMemory(pid)
  const before = processorMs(pid)
  const given = await load(request('async'), { port, connections, seconds: burstSeconds })
  const { answers, seconds, statuses } = given
  const used = (processorMs(pid) - before) / answers
  await quiet(pid)
  return { rate: answers / seconds, seconds, statuses, processorMs: used, growthMiB: growth() }
}

/** Waits until a server is idle. @param {number} pid */
async function quiet(pid) {
  for (let before = -1, now = processorMs(pid); now - before > 20; ) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    before = now
    now = processorMs(pid)
  }
}

/**
 * @param {Running} server
 * @param {number} expected
 * @returns {Promise<number>} how many runs of the burst have ended
 */
async function endedRuns({ port }, expected) {
  const ids = new Set()
  for (let before = ''; ids.size < expected; ) {
    const query = `id=async&status=succeeded&limit=500${before && `&before=${before}`}`
    const answer = await fetch(`http://127.0.0.1:${port}/runs?${query}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    })
    const { runs, next } = await answer.json()
    for (const { run_id } of runs) ids.add(run_id)
    if (typeof next !== 'string') break
    before = next
  }
  return ids.size
}

const largeBytes = 400 * 1024 * 1024

/** @type {Measure} */
export async function measureLargeBody({ hasPeer, main }, tell) {
  await withServers(async (start) => {
    const ours = await start(startGatehouse({ main }))
    const peer = hasPeer ? await start(startPeer()) : undefined
    for (const server of [ours, ...(peer === undefined ? [] : [peer])]) await warmUp(server, 'auto')
    const theirs = peer && (await sendLarge(peer, '/hooks/auto', true))
    const said = await sendLarge(ours, '/webhook', true)
    const unsaid = await sendLarge(ours, '/webhook', false)
    tell({ name: 'G6 memory', value: said.growthMiB, reference: theirs?.growthMiB })
    tell({
      name: 'G6 memory, length not said',
      value: unsaid.growthMiB,
      reference: theirs?.growthMiB,
    })
    for (const { status } of [said, unsaid])
      tell({ name: 'G6 status', value: status, reference: theirs?.status })
  })
}

/**
 * Sends a large body with a valid token, so that its size is what is refused, until the server stops reading it.
 *
 * @param {Running} server
 * @param {string} path
 * @param {boolean} saysLength
 */
async function sendLarge({ port, pid }, path, saysLength) {
  const growth = watchMemory(pid)
  const start = Buffer.from(`{"id":"auto","token":"${goodToken}","data":{"text":"`)
  const end = Buffer.from('"}}')
  const piece = Buffer.alloc(1024 * 1024, 'x')
  const length = start.length + largeBytes + end.length
  const framing = saysLength ? `Content-Length: ${length}` : 'Transfer-Encoding: chunked'
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  const answered = new Promise((resolve) => {
    socket.on('data', (chunk) => {
      answer += chunk.latin1Slice()
      resolve(undefined)
    })
    // A server that has answered may close the connection during the upload.
    socket.on('error', resolve)
    socket.on('close', resolve)
  })
  let isOver = false
  void answered.then(() => {
    isOver = true
  })
  /** @param {Buffer} bytes */
  const send = async (bytes) => {
    if (isOver) return
    if (!saysLength) socket.write(`${bytes.length.toString(16)}\r\n`)
    socket.write(bytes)
    if (!saysLength) socket.write('\r\n')
    // Read the answer before sending more: a broken connection loses unread data.
    await new Promise((resolve) => setImmediate(resolve))
    if (!socket.writableNeedDrain || isOver) return
    await Promise.race([answered, new Promise((resolve) => socket.once('drain', resolve))])
  }
  socket.write(head)
  await send(start)
  for (let sent = 0; sent < largeBytes && !isOver; sent += piece.length) await send(piece)
  await send(end)
  if (!saysLength && !isOver) socket.write('0\r\n\r\n')
  await answered
  socket.destroy()
  return { status: Number(answer.slice(9, 12)), growthMiB: growth() }
}

/** Runs of launchers and of direct starts, ten thousand together. */
const manyRuns = /** @type {const} */ ([
  ['auto', 8_000],
  ['direct', 2_000],
])
/** Launchers end after a minute without work. */
const restSeconds = 100

/** @type {Measure} */
export async function measureLeftovers(_, tell) {
  await withServers(async (start) => {
    const host = await start(startHost({ bufferMiB: 0 }))
    // A process keeps memory that it once took for its work.
    for (const executor of executors) await warmUp(host, executor, 1_000)
    const before = await atRest(host)
    for (const [executor, requests] of manyRuns) {
      const given = await load(host.request(executor), { port: host.port, connections, requests })
      expectStatus(given, 200)
    }
    const after = await atRest(host)
    tell({ name: 'G8 processes', value: after.processes })
    tell({ name: 'G8 descriptors', value: after.descriptors - before.descriptors })
    tell({ name: 'G8 memory', value: after.usedMiB - before.usedMiB })
  })
}

/** The memory of a server once its launchers have ended. @param {Running} server */
async function atRest({ port, pid }) {
  const until = Date.now() + restSeconds * 1_000
  while (descendants(pid) > 0 && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  const open = descriptors(pid)
  const answer = await fetch(`http://127.0.0.1:${port}/memory`)
  const { usedMiB } = await answer.json()
  return { processes: descendants(pid), descriptors: open, usedMiB }
}
