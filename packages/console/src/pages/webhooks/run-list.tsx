import type { ListedWebhook, Run } from '@gatehouse/client'
import { Button, Group, NativeSelect, Table } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useRunChanges } from '../../data/follow-runs.ts'
import { hooks, useWebhookToken } from '../../data/webhooks.ts'
import { hashOf, useParameter } from '../../route/route.ts'
import { isOpen, refetchMs, runStatuses } from '../../runs/run-states.ts'
import { useTexts } from '../../texts/texts.ts'
import { DataTable } from '../../widgets/data-table.tsx'
import { MoreButton } from '../../widgets/more-button.tsx'
import { Empty, Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import { DurationChart } from './duration-chart.tsx'
import { RunDuration, Waited } from './run-duration.tsx'
import { RunStatusBadge } from './run-status.tsx'
import classes from './webhooks-page.module.css'

const pageSize = 50

/** The runs, newest first, by webhook and status. */
export function RunList({
  webhooks,
  readsAll,
}: {
  webhooks: readonly ListedWebhook[]
  readsAll: boolean
}): ReactNode {
  const { webhooks: texts } = useTexts()
  const token = useWebhookToken()
  const restMs = useRunChanges(readsAll, token)
  const [wanted, setWebhook] = useParameter('webhook')
  const [given, setStatus] = useParameter('status')
  const status = runStatuses.find((one) => one === given)
  const ids = webhooks.map((webhook) => webhook.id)
  // A subject that may not read all runs reads those of one webhook.
  const id = ids.includes(wanted) || readsAll ? wanted : (ids[0] ?? '')
  const list = useInfiniteQuery({
    queryKey: ['runs', token, id, status],
    queryFn: ({ signal, pageParam }) =>
      hooks.runs(
        {
          limit: pageSize,
          output: false,
          ...(id !== '' && { id }),
          ...(status && { status }),
          ...(pageParam !== '' && { before: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      restMs ?? refetchMs(state.data?.pages.flatMap(({ runs }) => runs) ?? [], pageSize),
  })
  const { data, error, isPending, refetch } = list
  const runs = data?.pages.flatMap((page) => page.runs) ?? []
  const isFiltered = wanted !== '' || status !== undefined
  const known = id === '' || ids.includes(id) ? ids : [...ids, id]
  return (
    <section>
      <div className={classes.listHead}>
        <h2>{texts.runs}</h2>
        <Group gap="xs">
          <NativeSelect
            aria-label={texts.webhook}
            value={id}
            onChange={({ currentTarget }) => setWebhook(currentTarget.value)}
            data={[
              ...(readsAll ? [{ value: '', label: texts.allWebhooks }] : []),
              ...known.map((value) => ({ value, label: value })),
            ]}
          />
          <NativeSelect
            aria-label={texts.status}
            value={status ?? ''}
            onChange={({ currentTarget }) => setStatus(currentTarget.value)}
            data={[
              { value: '', label: texts.allStatuses },
              ...runStatuses.map((value) => ({ value, label: texts.statuses[value] })),
            ]}
          />
        </Group>
      </div>
      {error !== null && <Failure error={error} triesAgain onRetry={() => void refetch()} />}
      {isPending && error === null && <Loading />}
      {data !== undefined && runs.length === 0 && (
        <Empty title={isFiltered ? texts.noMatch : texts.noRuns}>
          {isFiltered ? (
            <Button component="a" variant="default" href={hashOf(['webhooks'])}>
              {texts.showAll}
            </Button>
          ) : (
            <span>{texts.noRunsDetail}</span>
          )}
        </Empty>
      )}
      {runs.length > 0 && (
        <>
          <DurationChart runs={runs} />
          <Runs runs={runs} />
        </>
      )}
      <MoreButton list={list}>{texts.more}</MoreButton>
    </section>
  )
}

function Runs({ runs }: { runs: readonly Run[] }): ReactNode {
  const { webhooks: texts } = useTexts()
  return (
    <DataTable
      label={texts.runs}
      heads={[texts.status, texts.webhook, texts.started, texts.duration, texts.waited]}
      minWidth={620}
    >
      {runs.map((run) => (
        <Table.Tr key={run.run_id} data-open={isOpen(run)}>
          <Table.Td>
            <RunStatusBadge run={run} />
          </Table.Td>
          <Table.Td className={classes.name}>
            <a href={hashOf(['webhooks', 'run', run.run_id])}>
              <bdi>{run.id}</bdi>
            </a>
          </Table.Td>
          <Table.Td className={classes.time}>
            <LocalTime at={run.started_at ?? run.created_at} />
          </Table.Td>
          <Table.Td className={classes.number}>
            <RunDuration run={run} />
          </Table.Td>
          <Table.Td className={classes.number}>
            <Waited run={run} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  )
}
