import { type AlertGroup, type AlertsChange, formatMatcher, readMatchers } from '@gatehouse/client'
import type { QueryClient } from '@tanstack/react-query'
import { addToGroups, applyChanges, type ShownStates } from '../alerts/apply-changes.ts'
import { matchersOf } from '../alerts/copied-texts.ts'
import { client } from './services.ts'

/** The key of the firing alerts in their groups. */
export const firingKey = (filter: string, shown: ShownStates) => ['firing', filter, shown] as const

type FiringKey = ReturnType<typeof firingKey>

/** All alerts, whatever their state. */
export const everyState: ShownStates = { active: true, silenced: true, inhibited: true }

/** Reads the firing alerts in their groups. */
export const readFiring = (
  filters: readonly string[],
  shown: ShownStates,
  signal?: AbortSignal,
): Promise<readonly AlertGroup[]> =>
  client.alerts.groups({ filter: filters, ...shown, muted: true }, signal && { signal })

/** The matchers of a text, one by one, as a query takes them. */
export function filtersOf(text: string): readonly string[] {
  return (readMatchers(text).matchers ?? []).map(formatMatcher)
}

/** Changes that come together are applied together. */
const gatherMs = 150
/** More new alerts than this are not asked for one by one. */
const maxAsked = 20
/** An address with more labels than this might be refused. */
const maxLabels = 40

/**
 * Applies changes of alerts to the lists of them that the page shows, so that it need not read 10,000 alerts again for one. The
 * others are read again when they are shown.
 *
 * @param readAgain reads the shown lists as a whole, where that is less work or the changes do not suffice.
 */
export function createFiringPatch(
  queries: QueryClient,
  readAgain: () => void,
): (change: AlertsChange) => void {
  let pending: AlertsChange[] = []
  let isRunning = false

  const run = async (): Promise<void> => {
    isRunning = true
    try {
      while (pending.length > 0) {
        await new Promise((resolve) => setTimeout(resolve, gatherMs))
        const all = queries.getQueryCache().findAll({ queryKey: ['firing'] })
        // A reading under way may have begun before the change.
        await Promise.allSettled(
          all.map(({ promise, state }) => state.fetchStatus === 'fetching' && promise),
        )
        const changes = pending
        pending = []
        void queries.invalidateQueries({
          queryKey: ['firing'],
          type: 'inactive',
          refetchType: 'none',
        })
        const active = all.filter((query) => query.isActive())
        const areWhole = await Promise.all(
          active.map(({ queryKey }) => applyTo(queries, queryKey as FiringKey, changes)),
        )
        if (areWhole.includes(false)) readAgain()
      }
    } finally {
      isRunning = false
    }
  }

  return (change) => {
    // All lists are read again then.
    if (change.type === 'reset') pending = []
    else pending.push(change)
    if (!isRunning) void run()
  }
}

/** @returns whether the list is up to date now. */
async function applyTo(
  queries: QueryClient,
  key: FiringKey,
  changes: readonly AlertsChange[],
): Promise<boolean> {
  const [, filter, shown] = key
  const before = queries.getQueryData<readonly AlertGroup[]>(key)
  if (before === undefined) return true
  const { groups, strangers, isRegrouped } = applyChanges(before, changes, shown)
  if (isRegrouped || strangers.length > maxAsked) return false
  if (strangers.some(({ labels }) => Object.keys(labels).length > maxLabels)) return false
  try {
    const found = await Promise.all(
      strangers.map(({ labels }) =>
        readFiring([...filtersOf(filter), ...matchersOf(labels)], shown),
      ),
    )
    const after = addToGroups(groups, found.flat())
    if (after !== before) queries.setQueryData(key, after)
    return true
  } catch {
    return false
  }
}
