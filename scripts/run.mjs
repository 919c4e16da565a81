import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The folder of the repository, with a slash at the end. */
export const root = fileURLToPath(new URL('../', import.meta.url))

/** Signals to forward. A terminal sends SIGINT to the child itself. */
const passedOn = ['SIGTERM', 'SIGHUP']

/** The programs that run now. */
const children = new Set()
const pass = (signal) => {
  for (const child of children) child.kill(signal)
}

/**
 * Runs a program in the repository and shows its output.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<number>} its exit code; 1 if it could not be started or a signal ended it.
 */
export function run(command, args, { cwd = root, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
    child.once('error', (error) => {
      console.error(`${command}: ${error.message}`)
      resolve(1)
    })
    // One listener for all: many packages are built at once.
    if (children.size === 0) for (const signal of passedOn) process.on(signal, pass)
    children.add(child)
    child.once('close', (code) => {
      children.delete(child)
      if (children.size === 0) for (const signal of passedOn) process.off(signal, pass)
      resolve(code ?? 1)
    })
  })
}

/**
 * Runs the program of an installed package, without npx.
 *
 * @param {string} name as in `node_modules/.bin`
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 */
export function runTool(name, args, options) {
  return run(process.execPath, [`${root}node_modules/.bin/${name}`, ...args], options)
}
