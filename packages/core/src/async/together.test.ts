import { expect, it } from 'vitest'
import { together } from './together.ts'

const fulfilled = <T>(value: T): PromiseSettledResult<T> => ({ status: 'fulfilled', value })

/** Records each batch, and doubles its numbers; odd numbers fail. */
function doubling(moment: 'now' | 'soon', limit = 10) {
  const calls: (readonly number[])[] = []
  const double = together(
    async (items: readonly number[]) => {
      calls.push(items)
      return items.map((item) =>
        item % 2 === 0
          ? fulfilled(2 * item)
          : ({ status: 'rejected', reason: `${item} is odd` } as const),
      )
    },
    { moment, limit },
  )
  return { calls, double }
}

it('runs concurrent calls in one batch, and returns to each its result', async () => {
  const { calls, double } = doubling('now')
  const results = await Promise.allSettled([2, 3, 4].map(double))
  expect(results).toEqual([fulfilled(4), { status: 'rejected', reason: '3 is odd' }, fulfilled(8)])
  expect(await double(6)).toBe(12)
  expect(calls).toEqual([[2, 3, 4], [6]])
})

it('limits the size of a batch', async () => {
  const { calls, double } = doubling('now', 2)
  await Promise.all([2, 4, 6].map(double))
  expect(calls).toEqual([[2, 4], [6]])
})

it('with `soon` waits for all calls in one turn of the event loop', async () => {
  const { calls, double } = doubling('soon')
  const first = double(2)
  await new Promise<void>((resolve) => process.nextTick(resolve))
  await Promise.all([first, double(4)])
  expect(calls).toEqual([[2, 4]])
})

it('fails for all calls if the batch fails', async () => {
  const fail = together(
    async (_: readonly number[]): Promise<readonly PromiseSettledResult<number>[]> => {
      throw new Error('not now')
    },
    { moment: 'now', limit: 10 },
  )
  const results = await Promise.allSettled([fail(1), fail(2)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
