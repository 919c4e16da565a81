// Starts a server as a process of its own on a free port of 127.0.0.1, and stops it by its pid.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { freePort } from '../../test-support/free-port.mjs'

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {number} pid
 * @property {() => number} peakMemoryKiB the most memory the process ever had resident (VmHWM)
 * @property {() => Promise<void>} stop
 */

/** When the benchmark ends early, its servers end too. @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/**
 * @typedef {object} ServerOptions
 * @property {string} [readyPath] answered with success once it is ready (default `/-/ready`)
 * @property {number} [output] a descriptor of a file for long output (default: kept in memory for error messages)
 */

/**
 * Starts a program and waits until it is ready.
 *
 * @param {string} program
 * @param {(port: number) => string[]} argumentsFor
 * @param {ServerOptions} [options]
 * @returns {Promise<Server>}
 */
export async function startServer(program, argumentsFor, options = {}) {
  const { readyPath = '/-/ready', output: file = 'pipe' } = options
  const port = await freePort()
  const child = spawn(program, argumentsFor(port), { stdio: ['ignore', file, file] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  let output = ''
  const keep = (/** @type {Buffer} */ chunk) => {
    output = (output + chunk).slice(-4_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  let running = true
  const exited = new Promise((resolve) => {
    const ended = () => {
      running = false
      resolve(undefined)
    }
    child.once('exit', ended)
    child.once('error', (error) => {
      output += error.message
      ended()
    })
  })

  const deadline = Date.now() + 20_000
  for (;;) {
    if (!running) throw new Error(`${program} ended before it was ready:\n${output}`)
    const ready = await fetch(`http://127.0.0.1:${port}${readyPath}`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) break
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`${program} was not ready within 20 s:\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }

  return {
    port,
    pid: child.pid ?? 0,
    peakMemoryKiB() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1])
    },
    async stop() {
      child.kill('SIGTERM')
      const giveUp = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exited
      clearTimeout(giveUp)
    },
  }
}
