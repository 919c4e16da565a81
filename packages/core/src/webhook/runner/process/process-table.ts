import { namesIn, readText } from '../pipes/files.ts'

/** A process of this machine. */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** In ticks of 10 ms since the machine was started. */
  readonly startedAt: number
  /** Whether it has ended, and waits for its parent to notice. */
  readonly hasEnded: boolean
}

/** What {@link processesOfRun} tells the processes of a run from others by. */
export type RunLeader = Pick<ProcessEntry, 'pid' | 'startedAt'>

/** Reads a line of `/proc/PID/stat`; the name of a program may hold anything, and stands in parentheses. */
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

/** Shared by all who look within one turn of the event loop, as they do when a service is closed. */
let recent: readonly ProcessEntry[] | undefined

/** The processes that this one can see; none where there is no `/proc`. */
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

/** What a launcher has started last, if it is still there. */
export function findLeader(
  table: readonly ProcessEntry[],
  launcher: number,
): ProcessEntry | undefined {
  return table.find(({ parent, hasEnded }) => parent === launcher && !hasEnded)
}

/**
 * The processes of a run that have not ended, the oldest first: its leader and what descends from it, and what is in the session of the launcher,
 * is younger than the leader, and does not descend from a process that is older: that is one an earlier run has left.
 */
export function processesOfRun(
  table: readonly ProcessEntry[],
  launcher: number,
  leader: RunLeader,
): readonly ProcessEntry[] {
  const byPid = new Map(table.map((entry) => [entry.pid, entry]))
  const belongs = new Map<number, boolean>([[launcher, false]])

  /** As far as its parent does not tell. */
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
      // Decided below; a table that is read while it changes may hold circles.
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

/** Numbers of processes go up, until they start anew. */
const isOlder = (one: RunLeader, other: RunLeader): boolean =>
  one.startedAt === other.startedAt ? one.pid < other.pid : one.startedAt < other.startedAt

/** By the entries of a table, so that each is read once in it. */
const carried = new WeakMap<ProcessEntry, string>()

/** The id of the run that a process was started by, as its environment says; empty if it says none, or may not be read. */
export function carriedRunId(entry: ProcessEntry): string {
  const known = carried.get(entry)
  if (known !== undefined) return known
  const variables = readText(`/proc/${entry.pid}/environ`) ?? ''
  const runId = /(?:^|\0)GATEHOUSE_RUN_ID=([^\0]*)/.exec(variables)?.[1] ?? ''
  carried.set(entry, runId)
  return runId
}
