import type { NotificationCounts, ReceiverCounts } from '@gatehouse/client'

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** The numbers of a receiver over the whole time. */
export interface Totals {
  readonly sent: number
  readonly failed: number
  readonly notSent: number
}

export const totalsOf = ({ sent, failed, notSent }: ReceiverCounts): Totals => ({
  sent: sum(sent),
  failed: sum(failed),
  notSent: sum(notSent),
})

/** A part of the time in which something was decided for a receiver. */
export interface CountedPart extends Totals {
  readonly receiver: string
  readonly from: string
}

/** The starts of the parts, in ms. */
export const startsOf = ({ from, partMs }: NotificationCounts, length: number): number[] =>
  Array.from({ length }, (_, part) => Date.parse(from) + part * partMs)

/** The parts that are not empty, the newest first: the chart as a table. */
export function partsOf(counts: NotificationCounts): readonly CountedPart[] {
  return counts.receivers
    .flatMap(({ receiver, sent, failed, notSent }) =>
      startsOf(counts, sent.length).map((start, part) => ({
        receiver,
        from: new Date(start).toISOString(),
        sent: sent[part] ?? 0,
        failed: failed[part] ?? 0,
        notSent: notSent[part] ?? 0,
      })),
    )
    .filter((one) => one.sent + one.failed + one.notSent > 0)
    .sort((a, b) => (a.from === b.from ? 0 : a.from < b.from ? 1 : -1))
}
