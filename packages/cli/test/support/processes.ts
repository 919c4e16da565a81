import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Whether this system lists its processes in `/proc`. */
export const showsProcesses: boolean = existsSync('/proc/self/cmdline')

/** The ids of all processes with a text in their command lines. */
export function processesWith(text: string): readonly number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.filter((id) => commandLineOf(id).includes(text)).map(Number)
}

/** Empty for a process that has just ended. */
function commandLineOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
