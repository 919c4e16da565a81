import type { ListedWebhook, Run } from '@gatehouse/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hooks, useWebhookToken, valuesOfRun } from '../../data/webhooks.ts'
import { hashOf } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { LocalTime } from '../../widgets/time.tsx'
import { visible } from '../../widgets/visible.ts'
import classes from './webhooks-page.module.css'

const RunLink = ({ id }: { id: string }): ReactNode => (
  <a href={hashOf(['webhooks', 'run', id])}>
    <code>{id}</code>
  </a>
)

/** What started a run: a user with the right to run the webhook, its schedule, another run or an alert. */
export function StartedBy({ cause }: { cause: NonNullable<Run['cause']> }): ReactNode {
  const { webhooks: texts } = useTexts()
  if (cause.type === 'subject') return visible(clip(cause.id))
  if (cause.type === 'alert') return texts.byAlert(visible(clip(cause.receiver)))
  if (cause.type === 'run') return <RunLink id={cause.run_id} />
  return (
    <>
      {texts.bySchedule} <LocalTime at={cause.at} />
    </>
  )
}

/** The values that this tab started a run with; `undefined` if it did not, or without values. */
export function sentValuesOf(run: Run): ReactNode {
  const { values = {}, json = '' } = valuesOfRun(run.run_id) ?? {}
  const given = Object.entries(values).filter(([, value]) => value !== '')
  if (given.length === 0 && json.trim() === '') return undefined
  return (
    <ul className={classes.values}>
      {given.map(([source, value]) => (
        <li key={source}>
          <code>{visible(`${source}=${clip(value)}`)}</code>
        </li>
      ))}
      {json.trim() !== '' && (
        <li>
          <code>{visible(clip(json))}</code>
        </li>
      )}
    </ul>
  )
}

const maxCounted = 100
const maxLinks = 3

/** What a waiting run waits for: the runs of its webhook that go on, and how many wait before it. */
export function WaitsFor({
  run,
  webhook,
}: {
  run: Run
  webhook: ListedWebhook | undefined
}): ReactNode {
  const { webhooks: texts } = useTexts()
  const token = useWebhookToken()
  const { data } = useQuery({
    queryKey: ['runs', token, 'before', run.run_id],
    queryFn: async ({ signal }) => {
      const query = { id: run.id, limit: maxCounted, output: false }
      const [{ runs: running }, { runs: waiting }] = await Promise.all([
        hooks.runs({ ...query, status: 'running' }, { signal }),
        hooks.runs({ ...query, status: 'queued', before: run.run_id }, { signal }),
      ])
      return { running, waiting }
    },
    refetchInterval: 5_000,
  })
  if (data === undefined) return '…'
  const { running, waiting } = data
  const { concurrency = 0 } = webhook ?? {}
  // The webhook itself would let it start.
  if (waiting.length === 0 && running.length < concurrency) return texts.forServer
  return (
    <>
      {running.slice(0, maxLinks).map(({ run_id }) => (
        <div key={run_id}>
          <RunLink id={run_id} />
        </div>
      ))}
      {running.length > maxLinks && <div>{texts.moreRunning(running.length - maxLinks)}</div>}
      {waiting.length > 0 && (
        <div>{texts.waitingBefore(waiting.length, waiting.length < maxCounted)}</div>
      )}
    </>
  )
}
