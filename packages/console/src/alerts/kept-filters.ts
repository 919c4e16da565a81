/** Filters that a browser keeps: those that its user saved, and those used lately, the newest first. */
export interface KeptFilters {
  readonly saved: readonly string[]
  readonly recent: readonly string[]
}

const most = { saved: 20, recent: 10 } as const
const maxLength = 2_000

/** Reads what a browser kept. What it does not understand, it has not kept. */
export function readKeptFilters(text: string | null): KeptFilters {
  const { saved, recent } = parse(text ?? '{}')
  return { saved: texts(saved).slice(0, most.saved), recent: texts(recent).slice(0, most.recent) }
}

function parse(text: string): { readonly saved?: unknown; readonly recent?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string' && isKept(one)) : []

const isKept = (filter: string): boolean => filter.trim() !== '' && filter.length <= maxLength

/** The filters after one was used. */
export function withRecent(kept: KeptFilters, filter: string): KeptFilters {
  if (!isKept(filter)) return kept
  const others = kept.recent.filter((one) => one !== filter)
  return { ...kept, recent: [filter, ...others].slice(0, most.recent) }
}

/** The filters after one was saved, or after one that was saved is not to be so any more. */
export function toggleSaved(kept: KeptFilters, filter: string): KeptFilters {
  if (!isKept(filter)) return kept
  const others = kept.saved.filter((one) => one !== filter)
  const isSaved = others.length < kept.saved.length
  return { ...kept, saved: isSaved ? others : [filter, ...others].slice(0, most.saved) }
}
