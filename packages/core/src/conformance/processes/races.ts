import { expect, it } from 'vitest'
import { counterId, counters } from '../../testing/scenarios/count-together.ts'
import { codes, receipts } from '../../testing/scenarios/spend-codes.ts'
import { accounts, names } from '../../testing/scenarios/take-names.ts'
import { linesOfRace, raceToTheEnd, type StorageProcessesFactory, useProcesses } from './harness.ts'

/** Tests processes that want the same record at the same time. */
export function describeRaces(factory: StorageProcessesFactory): void {
  const test = useProcesses(factory)
  const all = { by: 'id', limit: 10_000 }

  it('makes every increment of one hot record exactly once', async () => {
    const processes = Array.from({ length: 4 }, () => test.start('counter', 200, 8))
    await raceToTheEnd(test.storage, processes)
    const answers = linesOfRace(processes).map(Number)
    expect(answers.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 800 }, (_, index) => index + 1),
    )
    expect((await counters.get(test.storage, counterId))?.value).toBe(800)
  })

  it('spends a single-use code once, whether it is removed or marked', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `code-${String(index).padStart(3, '0')}`)
    await test.storage.commit(ids.map((id, index) => codes.write(id, { isKept: index % 2 === 0 })))
    const processes = ['a', 'b', 'c', 'd'].map((name) => test.start('codes', name, 5))
    await raceToTheEnd(test.storage, processes)
    expect(linesOfRace(processes).sort()).toEqual(ids)
    const spent = await receipts.find(test.storage, all)
    expect(spent.map(({ value }) => value.code)).toEqual(ids)
    const kept = await codes.find(test.storage, all)
    expect(kept.map(({ id, value }) => `${id}-${value.spentBy}`)).toEqual(
      spent.map(({ id }) => id).filter((_, index) => index % 2 === 0),
    )
  })

  it('takes a name once, and a process that does not get it leaves nothing behind', async () => {
    const processes = ['a', 'b', 'c', 'd'].map((name) => test.start('names', name, 100, 5))
    await raceToTheEnd(test.storage, processes)
    const wanted = Array.from({ length: 100 }, (_, index) => `name-${index}`).sort()
    expect(linesOfRace(processes).sort()).toEqual(wanted)
    const taken = await names.find(test.storage, all)
    expect(taken.map(({ id }) => id)).toEqual(wanted)
    const made = await accounts.find(test.storage, all)
    expect(made.map(({ id, value }) => [value.name, id]).sort()).toEqual(
      taken.map(({ id, value }) => [id, value.account]),
    )
  })
}
