import { expect, it } from 'vitest'
import type { Storage } from '../../storage/storage.ts'
import {
  completions,
  type Holding,
  holdings,
  type Task,
  tasks,
} from '../../testing/scenarios/work-on-tasks.ts'
import { systemClock } from '../../time/clock.ts'
import { allEnd, type StorageProcessesFactory, useProcesses } from './harness.ts'

const leaseMs = 300

/** Tests tasks that one process at a time holds, by a lease that it renews. */
export function describeLeases(factory: StorageProcessesFactory): void {
  const test = useProcesses(factory)

  it('completes each task once, also when a process dies or lets a lease expire', async () => {
    const { storage } = test
    const ids = Array.from({ length: 8 }, (_, index) => `task-${index}`)
    const task: Task = { dueAt: systemClock.now(), holder: '', leaseUntil: 0 }
    await storage.commit(ids.map((id) => tasks.write(id, task)))

    const dying = test.start('tasks', 'dying', leaseMs, 'keeps')
    const stalled = test.start('tasks', 'stalled', leaseMs, 'stalls')
    await Promise.all([dying.hasWritten(1), stalled.hasWritten(1)])
    const workers = ['a', 'b'].map((name) => test.start('tasks', name, leaseMs, 'works'))
    await Promise.all(workers.map((worker) => worker.hasWritten(1)))
    await dying.kill()
    await allEnd([stalled, ...workers])

    const completed = await completions.find(storage, { by: 'task', limit: 100 })
    expect(completed.map(({ value }) => value.task)).toEqual(ids)
    const reported = [stalled, ...workers].flatMap(({ lines }) => taskOf(lines, 'completed'))
    expect(reported.sort()).toEqual(ids)

    const holderOf = new Map(completed.map(({ value }) => [value.task, value.holder]))
    const [orphan = ''] = taskOf(dying.lines, 'holds').slice(-1)
    expect(holderOf.get(orphan)).toMatch(/^(stalled|a|b)$/)
    const [outlived = ''] = taskOf(stalled.lines, 'holds')
    expect(taskOf(stalled.lines, 'refused')).toContain(outlived)

    for (const id of ids) {
      const held = await holdingsOf(storage, id)
      expect(heldByTwo(held)).toEqual([])
      expect(held.at(-1)?.holder).toBe(holderOf.get(id))
    }
  })

  it('does not take over a renewed lease, however long it is held', async () => {
    const { storage } = test
    await storage.commit([tasks.write('task', { dueAt: 0, holder: '', leaseUntil: 0 })])
    const workers = ['a', 'b', 'c'].map((name) => test.start('tasks', name, leaseMs, 'works'))
    await allEnd(workers)
    const held = await holdingsOf(storage, 'task')
    expect(heldByTwo(held)).toEqual([])
    expect(await completions.find(storage, { by: 'id', limit: 10 })).toHaveLength(1)
    const [last] = held.slice(-1)
    const first = held.find(({ holder }) => holder === last?.holder)
    expect((last?.until ?? 0) - (first?.from ?? 0)).toBeGreaterThan(1.5 * leaseMs)
  })
}

/** The tasks in the lines of a process. */
const taskOf = (lines: readonly string[], word: string): string[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))

async function holdingsOf(storage: Storage, task: string): Promise<Holding[]> {
  const found = await holdings.find(storage, { by: 'task', equals: task, limit: 10_000 })
  return found.map(({ value }) => value).sort((a, b) => a.from - b.from)
}

/** Holdings that begin before another one has ended. */
function heldByTwo(held: readonly Holding[]): Holding[] {
  return held.filter(({ holder, from }, index) =>
    held.slice(0, index).some((before) => before.holder !== holder && before.until > from),
  )
}
