import { expect, it } from 'vitest'
import { explainRepetitions, maxUnderWay, type Repetition } from './support/notified-groups.ts'

const repeated = (groups: number, firstAt: number, at = 20_000): readonly Repetition[] =>
  Array.from({ length: groups }, (_, n) => ({ groupKey: `${firstAt}-${n}`, firstAt, at }))

it('gives each of two kills in a row what it can explain, up to what was under way', () => {
  const kills = [5_000, 7_000]
  const { byKill, unexplained } = explainRepetitions(
    [...repeated(maxUnderWay, 6_900), ...repeated(20, 4_900), ...repeated(44, 4_000)],
    kills,
  )
  expect(byKill.map(({ length }) => length)).toEqual([maxUnderWay, maxUnderWay])
  expect(unexplained).toEqual([])
  expect(explainRepetitions(repeated(2 * maxUnderWay + 1, 4_900), kills).unexplained).toHaveLength(
    1,
  )
})

it('explains nothing that was logged before a kill, or repeated before it, or twice by one', () => {
  const [group] = repeated(1, 4_900)
  const early = repeated(3, -6_000)
  const before = repeated(2, 4_900, 4_950)
  const all = [...early, ...before, ...(group === undefined ? [] : [group, group])]
  const { byKill, unexplained } = explainRepetitions(all, [5_000])
  expect(byKill).toEqual([['4900-0']])
  expect(unexplained).toHaveLength(6)
})
