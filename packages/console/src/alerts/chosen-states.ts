import type { Alert } from '@gatehouse/client'
import type { ShownStates } from './apply-changes.ts'
import { isRecent } from './recent.ts'

/** States that the server lists alerts by, and those that only the page knows. */
const serverStates = ['active', 'silenced', 'inhibited'] as const
const pageStates = ['acknowledged', 'recent'] as const

export const alertStates = [...serverStates, ...pageStates]
export type AlertState = (typeof alertStates)[number]

/** Which states are excluded, and the one of the page that is wanted alone. */
export interface ChosenStates {
  readonly hidden: ReadonlySet<AlertState>
  readonly only: AlertState | undefined
}

/** States as the address has them: `silenced,recent`, and `~recent` for what is wanted alone. */
export function readStates(text: string): ChosenStates {
  const parts = text.split(',')
  return {
    hidden: new Set(alertStates.filter((state) => parts.includes(state))),
    only: pageStates.find((state) => parts.includes(`~${state}`)),
  }
}

function writeStates({ hidden, only }: ChosenStates): string {
  return [...hidden, ...(only === undefined ? [] : [`~${only}`])].join(',')
}

const isOfServer = (state: AlertState): boolean => serverStates.some((one) => one === state)

/** Whether a list has alerts of this state and no others of its kind. */
export function isAlone({ hidden, only }: ChosenStates, state: AlertState): boolean {
  if (!isOfServer(state)) return only === state
  return serverStates.every((one) => hidden.has(one) === (one !== state))
}

/** The address after a click on a state: only that one, or all again. */
export function showOnly(chosen: ChosenStates, state: AlertState): string {
  const wasAlone = isAlone(chosen, state)
  if (!isOfServer(state)) {
    const hidden = [...chosen.hidden].filter((one) => one !== state)
    return writeStates({ hidden: new Set(hidden), only: wasAlone ? undefined : state })
  }
  const others = serverStates.filter((one) => !wasAlone && one !== state)
  const kept = [...chosen.hidden].filter((one) => !isOfServer(one))
  return writeStates({ ...chosen, hidden: new Set([...others, ...kept]) })
}

/** The address after a state was excluded, or is included again. */
export function toggleHidden(chosen: ChosenStates, state: AlertState): string {
  const hidden = new Set(chosen.hidden)
  if (!hidden.delete(state)) hidden.add(state)
  return writeStates({ hidden, only: chosen.only === state ? undefined : chosen.only })
}

/** The states that the server is asked for. */
export const shownStates = ({ hidden }: ChosenStates): ShownStates => ({
  active: !hidden.has('active'),
  silenced: !hidden.has('silenced'),
  inhibited: !hidden.has('inhibited'),
})

/** Whether an alert that the server listed is wanted; `undefined` if all are. */
export function wantedBy(
  { hidden, only }: ChosenStates,
  now: number,
): ((alert: Alert) => boolean) | undefined {
  const excluded = pageStates.filter((state) => hidden.has(state))
  if (only === undefined && excluded.length === 0) return undefined
  const isIn = ({ acknowledgement, startsAt }: Alert, state: AlertState): boolean =>
    state === 'recent' ? isRecent(startsAt, now) : acknowledgement !== undefined
  return (alert) =>
    (only === undefined || isIn(alert, only)) && !excluded.some((state) => isIn(alert, state))
}
