import { linkTarget, readText } from '../pipes/files.ts'
import { endLostCommands, haveProcesses } from './end-lost-commands.ts'
import { parseProcess } from './process-table.ts'

/** Identifies a process to others on its machine. */
export interface ServerProcess {
  /** The same for processes that see each other by number; empty if unknown. */
  readonly machine: string
  readonly pid: number
  /** Its start in ticks since boot, because process numbers are reused. */
  readonly since: number
}

/** The processes on the machine of a service. */
export interface Machine {
  /** The process of the service. */
  own(): ServerProcess
  /**
   * Whether another process exists, even if it is suspended; `unknown` for one on another machine, and for a service in the same
   * process.
   */
  stateOf(process: ServerProcess): 'there' | 'gone' | 'unknown'
  /** Whether processes of any of these runs exist. */
  haveRuns(runIds: readonly string[]): boolean
  /**
   * Ends the processes on this machine of runs whose server is gone.
   *
   * @returns whether none is left.
   */
  endRuns(runIds: readonly string[]): Promise<boolean>
}

/** The start of the process with a number; `undefined` if it does not exist or has ended. */
function startOf(pid: number): number | undefined {
  const entry = parseProcess(readText(`/proc/${pid}/stat`) ?? '')
  return entry === undefined || entry.hasEnded ? undefined : entry.startedAt
}

let own: ServerProcess | undefined

/** This process. */
export function ownProcess(): ServerProcess {
  if (own !== undefined) return own
  const boot = readText('/proc/sys/kernel/random/boot_id')?.trim()
  // Containers on one machine have separate process numbers.
  const namespace = linkTarget('/proc/self/ns/pid')
  const isKnown = boot !== undefined && namespace !== undefined
  own = {
    machine: isKnown ? `${boot} ${namespace}` : '',
    pid: process.pid,
    since: startOf(process.pid) ?? 0,
  }
  return own
}

function stateOfProcess({ machine, pid, since }: ServerProcess): ReturnType<Machine['stateOf']> {
  const self = ownProcess()
  if (machine === '' || machine !== self.machine) return 'unknown'
  if (pid === self.pid && since === self.since) return 'unknown'
  return startOf(pid) === since ? 'there' : 'gone'
}

/** This machine, according to `/proc`. Without `/proc`, other processes are unknown. */
export const systemMachine: Machine = {
  own: ownProcess,
  stateOf: stateOfProcess,
  haveRuns: haveProcesses,
  endRuns: endLostCommands,
}
