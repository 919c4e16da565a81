import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { isConflict } from '../../storage/storage.ts'
import { beginTogether, forAll, type ScenarioPart } from './scenario.ts'

/** The owner of each name. The id is the name, so it has one owner. */
export const names: TypedCollection<{ readonly account: string }> = defineCollection({
  name: 'names',
})

/** Accounts with their names. */
export const accounts: TypedCollection<{ readonly name: string }> = defineCollection({
  name: 'accounts',
  fields: { name: 'text' },
})

/** `names <process> <count> <inFlight>`: creates an account for each of `count` names, and writes the names it got. */
export async function takeNames(part: ScenarioPart): Promise<void> {
  const { storage, args, write } = part
  const [process = '', count, inFlight] = args
  const wanted = Array.from({ length: Number(count) }, (_, index) => `name-${index}`)
  await beginTogether(part)
  await forAll(wanted, Number(inFlight), async (name) => {
    const account = `${process}-${name}`
    try {
      // The account comes first, so that a store that commits only in part leaves one without its name, which the test notices.
      await storage.commit([
        accounts.write(account, { name }),
        names.write(name, { account }, { if: 'absent' }),
      ])
      write(name)
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  })
}
