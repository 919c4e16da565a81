import type { Matcher, SilencePreview } from '@gatehouse/client'

/** Something about a silence that its author may not expect. */
export type Surprise =
  | { readonly kind: 'none' }
  /** No alert can have these two values of a label. */
  | { readonly kind: 'contradiction'; readonly name: string }
  | { readonly kind: 'every' }
  /** It covers more alerts than those it was made for. */
  | { readonly kind: 'more'; readonly count: number }

/** Options of {@link surpriseOf}. */
export interface Expected {
  /** How many alerts it was made for, if it is for chosen ones and was not changed since. */
  readonly chosen: number | undefined
}

/** Whether a silence covers nothing, everything, or more than was chosen. */
export function surpriseOf(
  matchers: readonly Matcher[],
  preview: Pick<SilencePreview, 'count' | 'total'> | undefined,
  { chosen }: Expected,
): Surprise | undefined {
  const name = contradictionIn(matchers)
  if (name !== undefined) return { kind: 'contradiction', name }
  if (preview === undefined) return undefined
  const { count, total } = preview
  if (count === 0) return { kind: 'none' }
  if (chosen !== undefined && count > chosen) return { kind: 'more', count: count - chosen }
  // With a single alert, this would say nothing.
  return count === total && total > 1 ? { kind: 'every' } : undefined
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
