import type { FlowResult } from '../src/auth/flows/flow-result.ts'

type Refused = Extract<FlowResult, { readonly ok: false }>

/** Counts the outcomes: the type of the action, or for a failure the result of `reasonOf` (default the reason of the error). */
export function outcomesOf(
  results: readonly FlowResult[],
  reasonOf: (refused: Refused) => string = ({ error }) => error.reason,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const result of results) {
    const outcome = result.ok ? result.result.action.type : reasonOf(result)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}
