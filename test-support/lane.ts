/**
 * The lane of this run. Usually a grid of stores, adapters and runners is covered in pairs, and random tests try a few inputs. The
 * wide lane (`GATEHOUSE_TEST_WIDE=1`) runs the whole grids, forty times as many inputs, and the files `*.wide.test.ts`.
 */
export const isWide: boolean = process.env.GATEHOUSE_TEST_WIDE === '1'

/**
 * `GATEHOUSE_TEST_RUNS` multiplies the numbers of runs that tests name: 0.1 for a first look, 1000 for a night. A change runs a
 * quarter of them, because the first ones find most faults. The nightly run finds the others.
 */
const factor = Number(process.env.GATEHOUSE_TEST_RUNS ?? (isWide ? 10 : 0.25))
if (!(factor > 0)) throw new RangeError('GATEHOUSE_TEST_RUNS must be a number above 0')

/** The number of runs, rounds or seeds in this lane, of those that a test names. At least one. */
export const runsOf = (named: number): number => Math.ceil(named * factor)

/**
 * Whether a combination of a grid belongs to this lane. Each argument says whether one dimension has its first, fastest choice.
 * Usually at most one of them has another choice: every choice is run once, with the first ones of all other dimensions.
 */
export const isInGrid = (...isFirst: readonly boolean[]): boolean =>
  isWide || isFirst.filter((is) => !is).length <= 1

/**
 * The cases for one place of a grid, which is named by its choices. Usually the place of all first choices has every case, and one
 * case in four is run once more with one of the `others`, in turn. In the wide lane every place has every case.
 */
export function casesAt<T>(
  choices: readonly string[],
  others: readonly string[],
  cases: readonly T[],
): readonly T[] {
  const other = choices.find((choice) => others.includes(choice))
  if (isWide || other === undefined) return cases
  // If there are few cases, more of them are repeated, so that each of the others meets one.
  const every = Math.max(1, Math.min(4, Math.floor(cases.length / others.length)))
  const repeated = cases.filter((_, index) => index % every === 0)
  return repeated.filter((_, index) => others[index % others.length] === other)
}

/** Like {@link isInSample}, for a product of which usually one case in `every` is run. */
export const sampleOf =
  (every: number) =>
  (...indices: readonly number[]): boolean =>
    isWide || indices.reduce((sum, index) => sum + index) % every === 0

/**
 * Whether a case of a product belongs to this lane, by the indices of its members. Usually every eighth does, so that each member
 * meets several of each other dimension.
 */
export const isInSample: ReturnType<typeof sampleOf> = sampleOf(8)
