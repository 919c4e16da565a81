// A worker that sends requests, so that building and reading them delays no health check.
import { parentPort, workerData } from 'node:worker_threads'
import { createClient } from '../lib/client.mjs'
import { hostileRequests } from './requests.mjs'

const client = createClient(workerData.port, 1)
const all = hostileRequests()

/** @param {Omit<import('./requests.mjs').HostileRequest, 'name' | 'before'>} request */
async function send({ method, path, body }) {
  try {
    const answer = await (method === 'GET'
      ? client.get(path)
      : client.post(path, Buffer.from(body ?? '')))
    return answer.status
  } catch {
    // The server refused it before the body was sent, and closed the connection.
    return 0
  }
}

parentPort?.on('message', async (/** @type {string} */ name) => {
  const found = all.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no request is called ${name}`)
  for (const one of found.before ?? []) await send(one)
  parentPort?.postMessage({ isBegun: true })
  const startedAt = performance.now()
  const status = await send(found)
  parentPort?.postMessage({ status, ms: performance.now() - startedAt })
})
