import { describe, expect, it } from 'vitest'
import {
  findLeader,
  type ProcessEntry,
  parseProcess,
  processesOfRun,
  readProcessTable,
} from './process-table.ts'

const launcher = 100

/** A process in the session of the launcher; numbers are in the order of starts. */
const entry = (pid: number, parent: number, more: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid,
  parent,
  group: launcher,
  session: launcher,
  startedAt: pid,
  hasEnded: false,
  ...more,
})
const init = entry(1, 0, { group: 1, session: 1, startedAt: 0 })
const server = entry(50, 1, { group: 50, session: 50 })
const base = [init, server, entry(launcher, server.pid)]

const pidsOfRun = (table: readonly ProcessEntry[], leader: ProcessEntry): number[] =>
  processesOfRun([...base, ...table], launcher, leader).map(({ pid }) => pid)

describe('a line of the process table', () => {
  const fields = 'S 7 8 9 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 1 2 3'

  it('is parsed, whatever the name of the program', () => {
    for (const name of ['sh', 'a b', ') S 1 1 1', '((', '']) {
      expect(parseProcess(`42 (${name}) ${fields}`)).toEqual({
        pid: 42,
        parent: 7,
        group: 8,
        session: 9,
        startedAt: 12_345,
        hasEnded: false,
      })
    }
  })

  it('reports a process that has ended but was not reaped', () => {
    expect(parseProcess(`42 (sh) ${fields.replace('S', 'Z')}`)?.hasEnded).toBe(true)
  })

  it('is refused if it is cut off', () => {
    expect(parseProcess('42 (sh) S 7 8')).toBe(undefined)
    expect(parseProcess('')).toBe(undefined)
  })

  it('exists for this process', () => {
    expect(readProcessTable().find(({ pid }) => pid === process.pid)?.parent).toBe(process.ppid)
  })
})

describe('the processes of a run', () => {
  const leader = entry(200, launcher)

  it('are the child of the launcher and its descendants', () => {
    const table = [leader, entry(201, 200), entry(202, 201), entry(203, 201)]
    expect(findLeader([...base, ...table], launcher)).toBe(leader)
    expect(pidsOfRun(table, leader)).toEqual([200, 201, 202, 203])
  })

  it('are sorted oldest first, whatever the order of the table', () => {
    const table = [entry(203, 202), entry(202, 201), entry(201, 200), leader]
    expect(pidsOfRun(table, leader)).toEqual([200, 201, 202, 203])
  })

  it('include orphans', () => {
    const table = [leader, entry(205, 1), entry(206, 205)]
    expect(pidsOfRun(table, leader)).toEqual([200, 205, 206])
    expect(pidsOfRun(table.slice(1), leader)).toEqual([205, 206])
  })

  it('include those in another session, as long as their parent exists', () => {
    const other = { group: 205, session: 205 }
    const table = [leader, entry(205, 200, other), entry(206, 205, other), entry(207, 1, other)]
    expect(pidsOfRun(table, leader)).toEqual([200, 205, 206])
  })

  it('exclude those of an earlier run and their children', () => {
    const table = [entry(150, 1), entry(151, 150), leader, entry(210, 150), entry(211, 210)]
    expect(pidsOfRun(table, leader)).toEqual([200])
  })

  it('are distinguished by number from an earlier one that started at the same tick', () => {
    const at = { startedAt: 200 }
    const table = [entry(199, 1, at), leader, entry(201, 1, at)]
    expect(pidsOfRun(table, leader)).toEqual([200, 201])
  })

  it('exclude ended and foreign processes', () => {
    const table = [entry(201, 200, { hasEnded: true }), leader, entry(300, 50, { session: 50 })]
    expect(pidsOfRun(table, leader)).toEqual([200])
  })

  it('are found in a table with a cycle, and in a deep one', () => {
    const circle = [leader, entry(300, 301), entry(301, 300)]
    expect(pidsOfRun(circle, leader)).toEqual([200])
    const deep = Array.from({ length: 30_000 }, (_, i) => entry(201 + i, 200 + i))
    expect(pidsOfRun([...deep.reverse(), leader], leader)).toHaveLength(30_001)
  })
})
