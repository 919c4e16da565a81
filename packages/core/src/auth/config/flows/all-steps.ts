import type { Path } from '../../../document/decode-document.ts'
import type { Sound } from '../../../document/schema.ts'
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

/** Steps as they are written, of which some may not be sound. */
export type SoundSteps = readonly (Sound<Step> | undefined)[]

/** A step or a branch of a document. */
export interface Placed<T> {
  readonly part: Sound<T>
  readonly path: Path
}

/** The branches of a step that may not be sound. */
export function placedBranches({
  part,
  path,
}: Placed<Step>): readonly Placed<IdentifyBranch & AuthenticateBranch>[] {
  const branches = 'one_of' in part ? (part.one_of ?? []) : []
  return branches.flatMap((branch, index) =>
    branch === undefined ? [] : [{ part: branch, path: [...path, 'one_of', index] }],
  )
}

/** The steps of {@link allSteps} with their paths, which begin with `path`. */
export function* placedSteps(steps: SoundSteps, path: Path): Generator<Placed<Step>> {
  for (const [index, part] of steps.entries()) {
    if (part === undefined) continue
    const step = { part, path: [...path, index] }
    yield step
    for (const branch of placedBranches(step)) {
      yield* placedSteps(branch.part.steps ?? [], [...branch.path, 'steps'])
    }
  }
}
