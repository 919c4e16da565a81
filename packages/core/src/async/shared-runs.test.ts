import { expect, it } from 'vitest'
import { shareRuns } from './shared-runs.ts'

/** Work that runs until the test ends it. */
function heldWork() {
  const runs: { resolve(): void; reject(error: Error): void }[] = []
  const work = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const run = runs.length + 1
      runs.push({ resolve: () => resolve(run), reject })
    })
  return { runs, ask: shareRuns(work) }
}

it('calls during a run share the next run, which starts after them', async () => {
  const { runs, ask } = heldWork()
  const first = ask()
  const later = [ask(), ask()]
  expect(runs).toHaveLength(1)
  runs[0]?.resolve()
  expect(await first).toBe(1)
  expect(runs).toHaveLength(2)
  runs[1]?.resolve()
  expect(await Promise.all(later)).toEqual([2, 2])
})

it('a run that fails does not fail the next one', async () => {
  const { runs, ask } = heldWork()
  const first = ask()
  const next = ask()
  runs[0]?.reject(new Error('not now'))
  await expect(first).rejects.toThrow('not now')
  runs[1]?.resolve()
  expect(await next).toBe(2)
  const last = ask()
  runs[2]?.resolve()
  expect(await last).toBe(3)
})
