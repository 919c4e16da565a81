import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { createDecisionQueue } from '../../storage/decision-queue.ts'
import { systemClock } from '../../time/clock.ts'
import { beginTogether, forAll, type ScenarioPart } from './scenario.ts'

/** Holds the number that all processes increment. */
export const counters: TypedCollection<number> = defineCollection({ name: 'counters' })

/** The one record of {@link counters}. */
export const counterId = 'all'

/** `counter <increments> <inFlight>`: increments the counter, and writes every resulting number. */
export async function countTogether(part: ScenarioPart): Promise<void> {
  const { storage, args, write } = part
  const [increments, inFlight] = args.map(Number)
  const queue = createDecisionQueue({ storage, collection: counters, clock: systemClock })
  await beginTogether(part)
  await forAll(Array.from({ length: increments ?? 0 }), inFlight ?? 1, async () => {
    const number = await queue.decide(counterId, (value = 0) => {
      return { value: value + 1, answer: value + 1 }
    })
    write(`${number}`)
  })
}
