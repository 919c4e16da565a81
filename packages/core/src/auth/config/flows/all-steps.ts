import type { AuthenticateBranch, IdentifyBranch, Step } from '../flow-definition.ts'

/** The branches of a step; none for one that does not branch. */
export const branchesOf = (step: Step): readonly (IdentifyBranch | AuthenticateBranch)[] =>
  'one_of' in step ? step.one_of : []

/** Steps and all that are nested in them, each behind the one it is nested in. */
export function allSteps(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => [
    step,
    ...branchesOf(step).flatMap((branch) => allSteps(branch.steps ?? [])),
  ])
}
