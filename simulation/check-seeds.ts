import { type Simulation, tellFailure } from './run.ts'

/** Runs seeds of a simulation, and answers the story of the first that fails. */
export async function storyOfFailure(
  { check }: Simulation,
  { from, count }: { from: number; count: number },
): Promise<string> {
  for (let seed = from; seed < from + count; seed++) {
    const result = await check(seed)
    if ('outcome' in result) return tellFailure(result)
  }
  return ''
}
