import { linkTarget, readText } from '../pipes/files.ts'
import { endLostCommands, haveProcesses } from './end-lost-commands.ts'
import { parseProcess } from './process-table.ts'

/** A process, as others on its machine can recognize it. */
export interface ServerProcess {
  /** What processes have in common that see each other by number; empty where that is not known. */
  readonly machine: string
  readonly pid: number
  /** In ticks since the machine was started: numbers of processes are given again. */
  readonly since: number
}

/** What a service can know of, and do to, the processes on its machine. */
export interface Machine {
  /** The process that the service runs in. */
  own(): ServerProcess
  /**
   * Whether another process is there, also if it is stopped and does nothing; `unknown` of one on another machine, and of a
   * service that shares this process.
   */
  stateOf(process: ServerProcess): 'there' | 'gone' | 'unknown'
  /** Whether processes of any of these runs are there. */
  haveRuns(runIds: readonly string[]): boolean
  /**
   * Ends what is left here of runs whose server is gone.
   *
   * @returns whether nothing is left.
   */
  endRuns(runIds: readonly string[]): Promise<boolean>
}

/** When the process with a number was started; `undefined` if there is none, or it has ended. */
function startOf(pid: number): number | undefined {
  const entry = parseProcess(readText(`/proc/${pid}/stat`) ?? '')
  return entry === undefined || entry.hasEnded ? undefined : entry.startedAt
}

let own: ServerProcess | undefined

/** This process. */
export function ownProcess(): ServerProcess {
  if (own !== undefined) return own
  const boot = readText('/proc/sys/kernel/random/boot_id')?.trim()
  // Containers of one machine count their processes apart.
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

/** This machine, as `/proc` shows it. Without `/proc`, nothing is known of other processes. */
export const systemMachine: Machine = {
  own: ownProcess,
  stateOf: stateOfProcess,
  haveRuns: haveProcesses,
  endRuns: endLostCommands,
}
