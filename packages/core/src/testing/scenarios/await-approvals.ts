import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import type { Revision, Storage } from '../../storage/storage.ts'
import { systemClock } from '../../time/clock.ts'
import { pollFor, type ScenarioPart } from './scenario.ts'

/** Approvals that a process waits for through the feed, without reading them. */
export const approvals: TypedCollection<{ readonly by: string }> = defineCollection({
  name: 'approvals',
  feed: true,
})

/**
 * `approvals <id>...`: waits for each approval in turn, then for the removal of the last one. Writes `waiting`, then a line for
 * each: its id, by whom, and by how many milliseconds the feed lagged behind the record.
 */
export async function awaitApprovals({ storage, args, write }: ScenarioPart): Promise<void> {
  const follow = await followApprovals(storage)
  write('waiting')
  for (const id of args) {
    const seen = await hear(storage, id, async () => (await follow()).get(id))
    write(`${id} ${seen.answer} ${seen.behindMs}`)
  }
  const last = args.at(-1) ?? ''
  await pollFor(async () => ((await follow()).has(last) ? undefined : true))
  write(`${last} is gone`)
}

/** @returns the approvals as far as the feed has listed them, after each answer. */
async function followApprovals(
  storage: Storage,
): Promise<() => Promise<ReadonlyMap<string, string>>> {
  const known = new Map<string, string>()
  let revision: Revision = 0
  const follow = async (): Promise<ReadonlyMap<string, string>> => {
    const changes = await approvals.changes(storage, revision)
    if ('reset' in changes) throw new Error(`the feed does not reach back to ${revision}`)
    for (const { id, value } of changes.written) known.set(id, value.by)
    for (const id of changes.removed) known.delete(id)
    revision = changes.revision
    return known
  }
  await follow()
  return follow
}

/** Asks the feed until it lists the approval, and notes when the record itself appears. */
async function hear(
  storage: Storage,
  id: string,
  ask: () => Promise<string | undefined>,
): Promise<{ answer: string; behindMs: number }> {
  let storedAt: number | undefined
  const answer = await pollFor(async () => {
    if (storedAt === undefined && (await approvals.get(storage, id)) !== undefined) {
      storedAt = systemClock.now()
    }
    return ask()
  })
  return { answer, behindMs: storedAt === undefined ? 0 : systemClock.now() - storedAt }
}
