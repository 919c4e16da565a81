import { namesIn, readText } from '../pipes/files.ts'

/** A process of this machine. */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** In ticks of 10 ms since boot. */
  readonly startedAt: number
  /** Whether it has ended, and was not reaped yet. */
  readonly hasEnded: boolean
}

/** Distinguishes the processes of a run in {@link processesOfRun}. */
export type RunLeader = Pick<ProcessEntry, 'pid' | 'startedAt'>

/** Parses a line of `/proc/PID/stat`. The name of a program is in parentheses and may contain anything. */
export function parseProcess(line: string): ProcessEntry | undefined {
  const pid = Number.parseInt(line, 10)
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  const startedAt = Number(fields[19])
  if (!Number.isInteger(pid) || !Number.isInteger(startedAt)) return undefined
  const hasEnded = state === 'Z' || state === 'X'
  const [ofParent, ofGroup, ofSession] = [Number(parent), Number(group), Number(session)]
  return { pid, parent: ofParent, group: ofGroup, session: ofSession, startedAt, hasEnded }
}

/** Shared within one turn of the event loop, because closing a service reads it many times. */
let recent: readonly ProcessEntry[] | undefined

/** The processes that this one can see; none without `/proc`. */
export function readProcessTable(): readonly ProcessEntry[] {
  if (recent !== undefined) return recent
  setImmediate(() => {
    recent = undefined
  })
  recent = namesIn('/proc').flatMap((name) => {
    const line = /^\d+$/.test(name) ? readText(`/proc/${name}/stat`) : undefined
    const entry = line === undefined ? undefined : parseProcess(line)
    return entry === undefined ? [] : [entry]
  })
  return recent
}

/** The last process that a launcher started, if it still exists. */
export function findLeader(
  table: readonly ProcessEntry[],
  launcher: number,
): ProcessEntry | undefined {
  return table.find(({ parent, hasEnded }) => parent === launcher && !hasEnded)
}

/**
 * The processes of a run that have not ended, oldest first: its main process and its descendants, and processes in the session of
 * the launcher that are younger than the main process and do not descend from an older one, which an earlier run left.
 */
export function processesOfRun(
  table: readonly ProcessEntry[],
  launcher: number,
  leader: RunLeader,
): readonly ProcessEntry[] {
  const byPid = new Map(table.map((entry) => [entry.pid, entry]))
  const belongs = new Map<number, boolean>([[launcher, false]])

  /** Decides without the parent. */
  const isOwn = (entry: ProcessEntry): boolean => {
    if (isSame(entry, leader)) return true
    const parent = byPid.get(entry.parent)
    const isOrphan = parent === undefined || parent.pid === launcher || parent.session !== launcher
    return entry.session === launcher && isOrphan && !isOlder(entry, leader)
  }

  for (const entry of table) {
    const line: ProcessEntry[] = []
    let above: ProcessEntry | undefined = entry
    while (above !== undefined && !belongs.has(above.pid)) {
      // Set below. A table that is read while it changes may contain cycles.
      belongs.set(above.pid, false)
      line.push(above)
      above = byPid.get(above.parent)
    }
    for (const one of line.reverse()) {
      belongs.set(one.pid, belongs.get(one.parent) === true || isOwn(one))
    }
  }
  return table
    .filter(({ pid, hasEnded }) => belongs.get(pid) === true && !hasEnded)
    .sort((one, other) => (isOlder(one, other) ? -1 : 1))
}

const isSame = (one: RunLeader, other: RunLeader): boolean =>
  one.pid === other.pid && one.startedAt === other.startedAt

/** Process numbers increase until they wrap around. */
const isOlder = (one: RunLeader, other: RunLeader): boolean =>
  one.startedAt === other.startedAt ? one.pid < other.pid : one.startedAt < other.startedAt

/** Caches the environment of each entry of a table. */
const carried = new WeakMap<ProcessEntry, string>()

/** The id of the run in the environment of a process; empty if there is none, or it is not readable. */
export function carriedRunId(entry: ProcessEntry): string {
  const known = carried.get(entry)
  if (known !== undefined) return known
  const variables = readText(`/proc/${entry.pid}/environ`) ?? ''
  const runId = /(?:^|\0)GATEHOUSE_RUN_ID=([^\0]*)/.exec(variables)?.[1] ?? ''
  carried.set(entry, runId)
  return runId
}
