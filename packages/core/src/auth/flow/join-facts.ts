import type { Fact } from './state.ts'

/**
 * Facts, and those that follow from what was done next. Of what has one answer alone one fact stays: that a claim is proven from the
 * first time on, and of all else what it came to last. Storing the same thing twice is no commit.
 */
export function joinFacts(before: readonly Fact[], after: readonly Fact[]): readonly Fact[] {
  return after.reduce<readonly Fact[]>(join, before)
}

function join(facts: readonly Fact[], next: Fact): readonly Fact[] {
  const subject = subjectOf(next)
  if (subject === undefined) return [...facts, next]
  const isSame = (fact: Fact): boolean => subjectOf(fact) === subject
  // A provider says of no address by which channel it was proven.
  if (next.kind === 'claim_verified' && facts.some(isSame)) return facts
  return [...facts.filter((fact) => !isSame(fact)), next]
}

/** What a fact settles; `undefined` for one of which there may be many. */
function subjectOf(fact: Fact): string | undefined {
  switch (fact.kind) {
    case 'claim_verified':
      return JSON.stringify([fact.kind, fact.name, fact.value])
    case 'identity_updated':
      return JSON.stringify([fact.kind, fact.identity.id])
    case 'password_changed':
      return JSON.stringify([fact.kind, fact.authenticator_id])
    case 'recovery_codes_created':
      return fact.kind
    default:
      return undefined
  }
}
