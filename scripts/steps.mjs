// Runs the steps of a check. Each one prints a line with its seconds; its output is shown only if it fails.
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { root } from './run.mjs'

const logFolder = `${root}node_modules/.cache/gatehouse/steps/`

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} command `npm`, a script's path, or a program of `node_modules/.bin`, and its arguments
 * @property {Record<string, string>} [env]
 */

/**
 * Runs tracks beside each other, and the steps of a track one after the other. Every step runs, also after one has failed.
 *
 * @param {readonly (readonly Step[])[]} tracks
 * @returns {Promise<string[]>} the names of the failed steps.
 */
export async function runTracks(tracks) {
  mkdirSync(logFolder, { recursive: true })
  const failed = []
  await Promise.all(
    tracks.map(async (steps) => {
      for (const step of steps) if (!(await runStep(step))) failed.push(step.name)
    }),
  )
  return failed
}

async function runStep({ name, command: [program, ...args], env = {} }) {
  const logFile = `${logFolder}${name.replaceAll(/\W+/g, '-')}.log`
  const log = await open(logFile, 'w')
  const began = performance.now()
  const script = program.includes('/') ? program : `${root}node_modules/.bin/${program}`
  const [file, given] = program === 'npm' ? ['npm', args] : [process.execPath, [script, ...args]]
  const child = spawn(file, given, {
    cwd: root,
    stdio: ['ignore', log.fd, log.fd],
    env: { ...process.env, ...env },
  })
  const end = () => child.kill()
  process.on('SIGTERM', end)
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', resolve)
  })
  process.off('SIGTERM', end)
  await log.close()
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  const passed = code === 0
  console.log(`${passed ? 'ok    ' : 'FAILED'}  ${seconds.padStart(6)} s  ${name}`)
  if (!passed) console.log((await readFile(logFile, 'utf8')).trimEnd())
  return passed
}
