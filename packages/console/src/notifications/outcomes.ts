import type { NotificationOutcome } from '@gatehouse/client'

/** The decisions not to notify, those of people and rules first. */
export const notSent = [
  'silenced',
  'inhibited',
  'muted',
  'acknowledged',
  'limited',
  'canceled',
  'deduplicated',
] as const satisfies readonly NotificationOutcome[]

/** The choices of the filter of outcomes: one outcome, or all outcomes without a message. */
const outcomeChoices = ['sent', 'failed', 'not-sent', ...notSent] as const

export type OutcomeChoice = (typeof outcomeChoices)[number]

/** The choice that an address names; `undefined` for all outcomes. */
export const outcomeChoiceOf = (text: string): OutcomeChoice | undefined =>
  outcomeChoices.find((one) => one === text)

/** The outcomes of a choice; empty for all. */
export function outcomesOf(choice: OutcomeChoice | undefined): readonly NotificationOutcome[] {
  if (choice === undefined) return []
  return choice === 'not-sent' ? notSent : [choice]
}

/** How far back the page looks, in ms. */
export const periods = { '1h': 3_600_000, '6h': 21_600_000, '24h': 86_400_000, '7d': 604_800_000 }

export type Period = keyof typeof periods

/** The period that an address names; otherwise a day. */
export const periodOf = (text: string): Period =>
  (Object.keys(periods) as Period[]).find((one) => one === text) ?? '24h'

/** The start of a period, on whole minutes so that equal questions are asked only once a minute. */
export const startOf = (period: Period, now: number): string =>
  new Date(Math.floor((now - periods[period]) / 60_000) * 60_000).toISOString()
