import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import type { Storage, Write } from '../../storage/storage.ts'
import { pollFor, type ScenarioPart } from './scenario.ts'

/** An entry of a lane. Each number of a lane is written only after the previous one is stored. */
export interface Entry {
  readonly lane: string
  /** From 0 on; -1 for records that come and go. */
  readonly number: number
}

/** The entries that writers write and followers follow. */
export const entries: TypedCollection<Entry> = defineCollection({
  name: 'entries',
  fields: { lane: 'text' },
  feed: true,
})

/** The lane that all processes of {@link relayEntries} write in turn. */
export const relayLane = 'relay'

const entryId = (lane: string, number: number): string => `${lane}-${number}`

const writeEntry = (lane: string, number: number): Write =>
  entries.write(entryId(lane, number), { lane, number })

/** `entries <writer> <lanes> <commits>`: fills its lanes concurrently, and writes the id of each acknowledged entry. */
export async function writeEntries({ storage, args, write }: ScenarioPart): Promise<void> {
  const [writer = '', lanes, commits] = args
  const fill = async (_: unknown, index: number): Promise<void> => {
    const lane = `${writer}${index}`
    for (let number = 0; number < Number(commits); number++) {
      await storage.commit([writeEntry(lane, number), churn(lane, number)])
      write(entryId(lane, number))
    }
  }
  await Promise.all(Array.from({ length: Number(lanes) }, fill))
}

/** The write for a record that is created, replaced and removed in turn. */
function churn(lane: string, number: number): Write {
  const id = `${lane}-churn-${Math.floor(number / 3) % 5}`
  return number % 3 === 2 ? entries.remove(id) : entries.write(id, { lane, number: -1 })
}

/** `relay <place> <processes> <count>`: writes each number when it is this process's turn, once it has read the previous one. */
export async function relayEntries({ storage, args, write }: ScenarioPart): Promise<void> {
  const [place = 0, processes = 1, count = 0] = args.map(Number)
  for (let number = place; number < count; number += processes) {
    if (number > 0) await isStored(storage, entryId(relayLane, number - 1))
    await storage.commit([writeEntry(relayLane, number)])
    write(entryId(relayLane, number))
  }
}

async function isStored(storage: Storage, id: string): Promise<void> {
  await pollFor(() => entries.get(storage, id))
}
