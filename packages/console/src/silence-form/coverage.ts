import type { Matcher, SilencePreview } from '@gatehouse/client'

/** Something about a silence that its author may not expect. */
export type Surprise =
  | { readonly kind: 'none' }
  /** No alert can have these two values of a label. */
  | { readonly kind: 'contradiction'; readonly name: string }
  | { readonly kind: 'every' }
  /** It covers more alerts than those it was made for. */
  | { readonly kind: 'more'; readonly count: number }
  /** It does not cover so many of those that it was made for. */
  | { readonly kind: 'missed'; readonly count: number }
  | { readonly kind: 'many'; readonly count: number }

/** A silence of more alerts than this is said to be a large one. */
export const maxUnremarked = 100

/**
 * What may surprise: a silence that covers nothing, everything, many alerts, or others than it was made for.
 *
 * @param chosen how many alerts it was made for, if it is for chosen ones.
 */
export function surprisesOf(
  matchers: readonly Matcher[],
  preview: Pick<SilencePreview, 'count' | 'total' | 'unchosen'> | undefined,
  chosen?: number,
): readonly Surprise[] {
  const name = contradictionIn(matchers)
  if (name !== undefined) return [{ kind: 'contradiction', name }]
  if (preview === undefined) return []
  const { count, total, unchosen = 0 } = preview
  if (count === 0) return [{ kind: 'none' }]
  const found: Surprise[] = []
  // With a single alert, this would say nothing.
  if (count === total && total > 1) found.push({ kind: 'every' })
  else if (count > maxUnremarked) found.push({ kind: 'many', count })
  if (unchosen > 0) found.push({ kind: 'more', count: unchosen })
  const missed = chosen === undefined ? 0 : chosen - (count - unchosen)
  if (missed > 0) found.push({ kind: 'missed', count: missed })
  return found
}

/** A label that must have two different values. */
function contradictionIn(matchers: readonly Matcher[]): string | undefined {
  const values = new Map<string, string>()
  for (const { name, value, isRegex, isEqual } of matchers) {
    if (isRegex || !isEqual) continue
    const other = values.get(name)
    if (other !== undefined && other !== value) return name
    values.set(name, value)
  }
  return undefined
}
