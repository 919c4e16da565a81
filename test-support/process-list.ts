import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** A process of this machine. */
export interface ListedProcess {
  readonly pid: number
  readonly parent: number
  /** One letter: `T` is stopped, `Z` has ended and waits for its parent to collect it. */
  readonly state: string
}

/** The processes that run now. */
export function listProcesses(): Promise<readonly ListedProcess[]> {
  return process.platform === 'linux' ? readProc() : askPs()
}

/** Reads /proc, because small images lack `ps`. */
async function readProc(): Promise<readonly ListedProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const listed = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
      if (stat === undefined) return [] // it has ended since
      // The name of the program stands in brackets and may contain anything.
      const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [{ pid: Number(pid), parent: Number(parent), state }]
    }),
  )
  return listed.flat()
}

async function askPs(): Promise<readonly ListedProcess[]> {
  const child = spawn('ps', ['-A', '-o', 'pid=,ppid=,state='], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  return text.split('\n').flatMap((line) => {
    const [pid, parent, state] = line.trim().split(/\s+/)
    return state === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), state }]
  })
}
