import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { isConflict, type Storage } from '../../storage/storage.ts'
import { beginTogether, forAll, type ScenarioPart } from './scenario.ts'

/** Something that may be used once. */
export interface Code {
  /** Who used it, for those that are kept. */
  readonly spentBy?: string
  /** Whether the record stays when it is spent. */
  readonly isKept: boolean
}

/** What may be used once. */
export const codes: TypedCollection<Code> = defineCollection({ name: 'codes' })

/** One record for each time that somebody used a code. */
export const receipts: TypedCollection<{ readonly code: string }> = defineCollection({
  name: 'receipts',
  fields: { code: 'text' },
})

/** `codes <name> <inFlight>`: tries to spend every code there is, and writes those it spent. */
export async function spendCodes(part: ScenarioPart): Promise<void> {
  const { storage, args, write } = part
  const [name = '', inFlight] = args
  const all = await codes.find(storage, { by: 'id', limit: 10_000 })
  await beginTogether(part)
  await forAll(all, Number(inFlight), async ({ id }) => {
    if (await spend(storage, id, name)) write(id)
  })
}

async function spend(storage: Storage, id: string, name: string): Promise<boolean> {
  const code = await codes.get(storage, id)
  if (code === undefined || code.value.spentBy !== undefined) return false
  const { value, version } = code
  try {
    await storage.commit([
      receipts.write(`${id}-${name}`, { code: id }),
      value.isKept
        ? codes.write(id, { ...value, spentBy: name }, { if: version })
        : codes.remove(id, version),
    ])
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}
