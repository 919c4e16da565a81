import { formatMatcher, type ListedSilence, type SilenceState } from '@gatehouse/client'

/** The silences in whose matchers, comment or author every word of a text is. */
export function findSilences<One extends Searched>(
  silences: readonly One[],
  text: string,
): readonly One[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return silences
  return silences.filter(({ matchers, comment, createdBy }) => {
    const searched = [...matchers.map(formatMatcher), comment, createdBy].join('\n').toLowerCase()
    return words.every((word) => searched.includes(word))
  })
}

type Searched = Pick<ListedSilence, 'matchers' | 'comment' | 'createdBy'>

/** In what order silences stand. The first is that of the server: those that end soonest first. */
export const silenceSorts = ['ends', 'begun', 'author', 'alerts'] as const
type SilenceSort = (typeof silenceSorts)[number]

/** A silence that ends within this time ends soon, in ms. */
const soonMs = 2 * 3_600_000

/** Which silences are listed, beside the text that they are found by. */
export interface SilenceChoice {
  readonly state: SilenceState
  /** Empty: any. */
  readonly author: string
  /** Whether only those that end soon are listed. */
  readonly isSoon: boolean
  readonly sort: SilenceSort
}

/** The silences that are chosen, in the chosen order. */
export function chooseSilences(
  silences: readonly ListedSilence[],
  { state, author, isSoon, sort }: SilenceChoice,
  now: number,
): readonly ListedSilence[] {
  const chosen = silences.filter(
    ({ status, createdBy, endsAt }) =>
      status.state === state &&
      (author === '' || createdBy === author) &&
      (!isSoon || Date.parse(endsAt) - now <= soonMs),
  )
  return sort === 'ends' ? chosen : chosen.sort(orders[sort])
}

type Order = (a: ListedSilence, b: ListedSilence) => number

const orders: Readonly<Record<Exclude<SilenceSort, 'ends'>, Order>> = {
  begun: (a, b) => Date.parse(b.startsAt) - Date.parse(a.startsAt),
  author: (a, b) => a.createdBy.localeCompare(b.createdBy),
  alerts: (a, b) => b.alertCount - a.alertCount,
}

/** Who has created silences, by name. */
export const authorsOf = (silences: readonly ListedSilence[]): readonly string[] =>
  [...new Set(silences.map(({ createdBy }) => createdBy))]
    .filter((author) => author !== '')
    .sort((a, b) => a.localeCompare(b))
