import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { isConflict, type Storage } from '../../storage/storage.ts'
import { beginTogether, forAll, type ScenarioPart } from './scenario.ts'

/** A code for single use. */
export interface Code {
  /** The process that used it, if the record is kept. */
  readonly spentBy?: string
  /** Whether the record remains after use. */
  readonly isKept: boolean
}

/** Single-use codes. */
export const codes: TypedCollection<Code> = defineCollection({ name: 'codes' })

/** One record for each successful use of a code. */
export const receipts: TypedCollection<{ readonly code: string }> = defineCollection({
  name: 'receipts',
  fields: { code: 'text' },
})

/** `codes <name> <inFlight>`: tries to spend every code, and writes those it spent. */
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
