import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to servers on port 0 and to clients, one of which could otherwise take a free port before its
 * program does, and be taken for it.
 */
const [first, last] = [11_000, 31_999]
const attempts = 100

/** @type {Set<number>} */
const given = new Set()

/** @param {number} port @returns {Promise<boolean>} */
async function isFree(port) {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}

export async function freePort() {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(first, last + 1)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`no port of ${first} to ${last} is free`)
}
