import { isGatehouseError, type WebhooksContext } from '@gatehouse/core'
import { runForAlert } from '@gatehouse/core/webhook'
import type { Cluster } from '../cluster.ts'
import type { Machine } from '../machine.ts'
import { alerted } from './config.ts'

/** Runs that notifications about alerts ask for. */
export interface AlertRuns {
  /** By notification: the runs that were named in answers. */
  readonly made: ReadonlyMap<number, ReadonlySet<string>>
  /** Every process sends the notification, until it is told of a run. */
  notify(nth: number): void
}

/** The group of a notification. */
export const groupOf = (nth: number): string => `group ${nth}`

const maxAttempts = 5

/** Processes that have sent no notification yet. */
export function createAlertRuns(cluster: Cluster<WebhooksContext>): AlertRuns {
  const { timeline, machines, ask, tell } = cluster
  const random = cluster.draw('alerts')
  const made = new Map<number, Set<string>>()

  const attempt = (nth: number, machine: Machine, left: number): void => {
    const request = {
      webhook: alerted,
      data: { status: 'firing' },
      receiver: 'team',
      group_hash: groupOf(nth),
      key: `notification ${nth}`,
    }
    ask(machine, (service) => runForAlert(service, request)).then(
      (runId) => {
        tell(`${machine.name}: notification ${nth} has made ${runId}`)
        if (runId !== undefined) made.get(nth)?.add(runId)
      },
      (error: unknown) => {
        const refused = isGatehouseError(error) ? error.reason : String(error)
        tell(`${machine.name}: notification ${nth} fails: ${refused}`)
        if (left === 0) return
        timeline.schedule(random.between(500, 5_000), 'notifies again', () =>
          attempt(nth, machine, left - 1),
        )
      },
    )
  }

  return {
    made,
    notify(nth) {
      made.set(nth, new Set())
      for (const machine of machines) {
        timeline.schedule(random.between(0, 50), 'notifies', () =>
          attempt(nth, machine, maxAttempts),
        )
      }
    },
  }
}
