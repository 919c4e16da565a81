import {
  defineCollection,
  type TypedCollection,
  type TypedRecord,
} from '../../storage/collection.ts'
import { isConflict, type Storage, type Write } from '../../storage/storage.ts'
import { type Instant, systemClock } from '../../time/clock.ts'
import { pollFor, type ScenarioPart } from './scenario.ts'

/** A task that one process at a time may work on. */
export interface Task {
  /** `null` once it is done. */
  readonly dueAt: Instant | null
  readonly holder: string
  /** From then on any process may take it. */
  readonly leaseUntil: Instant
}

/** The tasks to do. */
export const tasks: TypedCollection<Task> = defineCollection({
  name: 'tasks',
  fields: { dueAt: 'number' },
})

/** The lease of a process on a task, written with each claim and each renewal. */
export interface Holding {
  readonly task: string
  readonly holder: string
  readonly from: Instant
  readonly until: Instant
}

/** The log of leases. */
export const holdings: TypedCollection<Holding> = defineCollection({
  name: 'holdings',
  fields: { task: 'text', from: 'number' },
})

/** One record for each completion of a task. */
export const completions: TypedCollection<{ readonly task: string; readonly holder: string }> =
  defineCollection({ name: 'completions', fields: { task: 'text' } })

interface Worker {
  readonly storage: Storage
  readonly name: string
  readonly leaseMs: number
  readonly write: (line: string) => unknown
  /** Returns a unique id. */
  readonly newId: () => string
}

/** A process that waits to be killed gives up after this time. */
const killedWithinMs = 60_000

type Claim = TypedRecord<Task>

/**
 * `tasks <name> <leaseMs> <manner>`: works on tasks until none is left, each for longer than a lease. With the manner `keeps` it
 * never completes a task. With `stalls` it lets its first lease expire, and tries to complete the task when another process holds
 * it. Writes `holds`, `completed` and `refused`, each with the task.
 */
export async function workOnTasks({ storage, args, write }: ScenarioPart): Promise<void> {
  const [name = '', leaseMs, manner] = args
  let ids = 0
  const newId = (): string => `${name}-${++ids}`
  const worker: Worker = { storage, name, leaseMs: Number(leaseMs), write, newId }
  if (manner === 'keeps') await keep(worker, systemClock.now() + killedWithinMs)
  if (manner === 'stalls') await stall(worker, await claimNext(worker))
  for (;;) {
    const next = await pollFor(async () => {
      return (await claim(worker)) ?? ((await isAllDone(storage)) ? 'done' : undefined)
    })
    if (next === 'done') return
    await workOn(worker, next)
  }
}

async function isAllDone(storage: Storage): Promise<boolean> {
  return (await tasks.find(storage, { by: 'dueAt', limit: 1 })).length === 0
}

const claimNext = (worker: Worker): Promise<Claim> => pollFor(() => claim(worker))

/** Takes the first due task that no process holds. */
async function claim(worker: Worker): Promise<Claim | undefined> {
  const to = systemClock.now() + 1
  for (const task of await tasks.find(worker.storage, { by: 'dueAt', to, limit: 100 })) {
    if (task.value.leaseUntil > systemClock.now()) continue
    const claimed = await hold(worker, task)
    if (claimed === undefined) continue
    worker.write(`holds ${task.id}`)
    return claimed
  }
  return undefined
}

/** Leases a task from now on, unless it has changed since it was read. */
async function hold(worker: Worker, { id, value, version }: Claim): Promise<Claim | undefined> {
  const { name: holder, leaseMs } = worker
  const from = systemClock.now()
  const until = from + leaseMs
  const held = { ...value, holder, leaseUntil: until }
  const written = await commitUnlessConflict(worker, [
    tasks.write(id, held, { if: version }),
    holdings.write(worker.newId(), { task: id, holder, from, until }),
  ])
  return written === undefined ? undefined : { id, value: held, version: written }
}

/** Renews a lease until an instant; `undefined` if it was lost. */
async function renewUntil(
  worker: Worker,
  claimed: Claim,
  until: Instant,
): Promise<Claim | undefined> {
  let current: Claim | undefined = claimed
  while (current !== undefined && systemClock.now() < until) {
    const renewAt = Math.min(until, systemClock.now() + worker.leaseMs / 4)
    await pollFor(async () => systemClock.now() >= renewAt || undefined)
    current = await hold(worker, current)
  }
  return current
}

/** Holds one task, and another one after losing it. */
async function keep(worker: Worker, until: Instant): Promise<never> {
  while (systemClock.now() < until) await renewUntil(worker, await claimNext(worker), until)
  throw new Error('the test did not kill this process')
}

async function workOn(worker: Worker, claimed: Claim): Promise<void> {
  const renewed = await renewUntil(worker, claimed, systemClock.now() + 1.5 * worker.leaseMs)
  if (renewed !== undefined) await complete(worker, renewed)
}

async function stall(worker: Worker, claimed: Claim): Promise<void> {
  await pollFor(async () => {
    const task = await tasks.get(worker.storage, claimed.id)
    return task !== undefined && task.value.holder !== worker.name ? true : undefined
  })
  await complete(worker, claimed)
}

async function complete(worker: Worker, { id, value, version }: Claim): Promise<void> {
  const written = await commitUnlessConflict(worker, [
    tasks.write(id, { ...value, dueAt: null }, { if: version }),
    completions.write(worker.newId(), { task: id, holder: worker.name }),
  ])
  worker.write(`${written === undefined ? 'refused' : 'completed'} ${id}`)
}

/** @returns the version of the first write. */
async function commitUnlessConflict(
  { storage }: Worker,
  writes: readonly Write[],
): Promise<string | undefined> {
  try {
    return (await storage.commit(writes))[0]
  } catch (error) {
    if (isConflict(error)) return undefined
    throw error
  }
}
