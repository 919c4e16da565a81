import { describeFailure, type Simulation } from './run.ts'

/** Runs seeds of a simulation, and returns the story of the first that fails, or an empty text. */
export async function storyOfFailure(
  { check }: Simulation,
  { from, count }: { from: number; count: number },
): Promise<string> {
  for (let seed = from; seed < from + count; seed++) {
    const result = await check(seed)
    if ('outcome' in result) return describeFailure(result)
  }
  return ''
}
