// The CPU time, memory and descriptors of a server and of all its descendants, from Linux's /proc.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/**
 * @typedef {object} ProcessFacts
 * @property {number} parent
 * @property {number} ticks its CPU time and that of the children it has waited for
 */

/**
 * @param {number} pid
 * @returns {ProcessFacts | undefined} undefined if it has ended
 */
function factsOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is a name in parentheses, which may contain blanks; the 14th to 17th are times.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
    return { parent: Number(fields[1]), ticks }
  } catch {
    return undefined
  }
}

/**
 * @param {number} root
 * @returns {Map<number, ProcessFacts>} it and its descendants
 */
function treeOf(root) {
  const all = new Map()
  for (const name of readdirSync('/proc')) {
    const facts = /^\d+$/.test(name) ? factsOf(Number(name)) : undefined
    if (facts !== undefined) all.set(Number(name), facts)
  }
  const tree = new Map()
  const add = (/** @type {number} */ pid) => {
    const facts = all.get(pid)
    if (facts === undefined) return
    tree.set(pid, facts)
    for (const [child, { parent }] of all) if (parent === pid) add(child)
  }
  add(root)
  return tree
}

/**
 * The CPU time that a process and all its descendants have used, in ms. Living descendants, such as launchers, count with the
 * children they have waited for; ended ones count in the process that waited for them.
 *
 * @param {number} pid
 */
export function processorMs(pid) {
  const ticks = [...treeOf(pid).values()].reduce((sum, facts) => sum + facts.ticks, 0)
  return (ticks * 1_000) / ticksPerSecond
}

/** @param {number} pid @returns {number} how many descendants it has */
export const descendants = (pid) => treeOf(pid).size - 1

/** @param {number} pid @returns {number} how many files, pipes and connections it has open */
export const descriptors = (pid) => readdirSync(`/proc/${pid}/fd`).length

/** @param {number} pid @param {'VmRSS' | 'VmHWM'} name */
function memoryMiB(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024
}

/**
 * Watches how far the memory of a process grows from now on.
 *
 * @param {number} pid
 * @returns {() => number} the most growth so far, in MiB
 */
export function watchMemory(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = memoryMiB(pid, 'VmRSS')
  return () => memoryMiB(pid, 'VmHWM') - before
}
