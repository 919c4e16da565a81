import type { Run, RunStatus } from '@gatehouse/client'

/** All statuses, in the order of a run's life. */
export const runStatuses: readonly RunStatus[] = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'timed_out',
  'canceled',
  'superseded',
  'lost',
]

/** Whether the status of a run can still change. */
export const isOpen = ({ status }: Pick<Run, 'status'>): boolean =>
  status === 'queued' || status === 'running'

/** How often to read a list of runs again, in ms: often while something goes on, rarely if it has many pages. */
export function refetchMs(runs: readonly Pick<Run, 'status'>[], pageSize: number): number {
  if (runs.length > 4 * pageSize) return 15_000
  return runs.some(isOpen) ? 2_000 : 5_000
}
