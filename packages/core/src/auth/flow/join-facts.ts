import type { Fact } from './state.ts'

/**
 * Joins facts with those that follow. Facts that settle the same subject are reduced to one: for a verified claim the first, for
 * all others the last. A commit must not write the same record twice.
 */
export function joinFacts(before: readonly Fact[], after: readonly Fact[]): readonly Fact[] {
  return after.reduce<readonly Fact[]>(join, before)
}

function join(facts: readonly Fact[], next: Fact): readonly Fact[] {
  const subject = subjectOf(next)
  if (subject === undefined) return [...facts, next]
  const isSame = (fact: Fact): boolean => subjectOf(fact) === subject
  // Keep the first: claims verified by a provider have no channel.
  if (next.kind === 'claim_verified' && facts.some(isSame)) return facts
  return [...facts.filter((fact) => !isSame(fact)), next]
}

/** The subject that a fact settles; `undefined` for facts that may repeat. */
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
