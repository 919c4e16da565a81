// The CPU time and arguments of a process, from Linux's /proc.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/**
 * @param {string} text
 * @returns {number} the process with this text among its arguments
 */
export function processWith(text) {
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (Number.isInteger(pid) && pid !== process.pid && argumentsOf(pid).includes(text)) return pid
  }
  throw new Error(`no process has the argument ${text}`)
}

/** @param {number} pid */
function argumentsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // the process has ended
  }
}

/**
 * @param {number} pid
 * @returns {number} the CPU time it has used so far, in ms
 */
export function processorMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is a name in parentheses, which may contain blanks; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond
}
