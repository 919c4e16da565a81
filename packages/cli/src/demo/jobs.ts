import { isClientError, type WebhooksClient } from '@gatehouse/client'

/** A job of the shop, which a webhook runs. */
interface Job {
  readonly id: string
  /** In minutes. */
  readonly every: number
  readonly after: number
  /** The data of its nth run. */
  data(n: number): object
}

const minute = 60_000

const jobs: readonly Job[] = [
  {
    id: 'deploy',
    every: 2,
    after: 0.2,
    // Every fourth image is bad, so its deployment fails.
    data: (n) => ({ image: `shop/checkout:1.${n % 40}${n % 4 === 3 ? '-broken' : ''}` }),
  },
  { id: 'import-prices', every: 1, after: 0.1, data: (n) => ({ supplier: suppliers[n % 3] }) },
  { id: 'backup', every: 5, after: 0.3, data: () => ({}) },
]

const suppliers = ['northwind', 'harborlight', 'acme']

/** The jobs whose time is after an instant, and not after another one. */
export function jobsBetween(
  before: number,
  now: number,
): readonly { readonly id: string; readonly data: object }[] {
  return jobs.flatMap(({ id, every, after, data }) => {
    const turnAt = (at: number): number => Math.floor((at / minute - after) / every)
    const turn = turnAt(now)
    return turn === turnAt(before) ? [] : [{ id, data: data(turn) }]
  })
}

/** Runs the webhooks of the jobs whose time has come since an instant, as far as the server has them. */
export async function startJobs(
  webhooks: WebhooksClient,
  now: number,
  before: number,
): Promise<void> {
  const due = jobsBetween(before, now)
  if (due.length === 0) return
  for (const { id, data } of due) {
    try {
      await webhooks.run(id, data, { waitSeconds: 0 })
    } catch (error) {
      // A server without this webhook, or one that is busy, has no run of it.
      if (!isClientError(error) || error.status < 400) throw error
    }
  }
}
