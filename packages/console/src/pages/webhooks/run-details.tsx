import { isClientError, type ListedWebhook, type Run } from '@gatehouse/client'
import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { hooks } from '../../data/webhooks.ts'
import { hashOf } from '../../route/route.ts'
import { isOpen } from '../../runs/run-states.ts'
import { useTexts } from '../../texts/texts.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { Icon } from '../../widgets/icon.tsx'
import { MayButton } from '../../widgets/may-button.tsx'
import { PageHead } from '../../widgets/page-head.tsx'
import { Empty, Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import { visible } from '../../widgets/visible.ts'
import { OutputView } from './output-view.tsx'
import { RunDuration, Waited } from './run-duration.tsx'
import { StartedBy, sentValuesOf, WaitsFor } from './run-origin.tsx'
import { RunStatusBadge } from './run-status.tsx'
import { RunButton } from './webhook-cards.tsx'
import classes from './webhooks-page.module.css'

/** One run: its facts, its output as it comes, and how to cancel and repeat it. */
export function RunDetails({
  id,
  webhooks,
}: {
  id: string
  webhooks: readonly ListedWebhook[]
}): ReactNode {
  const texts = useTexts()
  const queries = useQueryClient()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['run', id],
    queryFn: ({ signal }) => hooks.getRun(id, { signal, output: false }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && !isOpen(state.data) ? false : 2_000,
  })
  const onEnd = useCallback(() => {
    void queries.invalidateQueries({ queryKey: ['run', id] })
    void queries.invalidateQueries({ queryKey: ['runs'] })
  }, [queries, id])
  const webhook = webhooks.find((one) => one.id === data?.id)
  return (
    <>
      <p className={classes.back}>
        <a href={hashOf(['webhooks'])}>← {texts.pages.webhooks}</a>
      </p>
      {data === undefined && <PageHead title={texts.webhooks.runId} />}
      {error !== null &&
        (isClientError(error, 'unknown_run') ? (
          <Empty title={texts.webhooks.gone}>
            <span>{texts.webhooks.goneDetail}</span>
          </Empty>
        ) : (
          <Failure error={error} triesAgain onRetry={() => void refetch()} />
        ))}
      {isPending && error === null && <Loading />}
      {data !== undefined && (
        <>
          <div className={classes.runHead}>
            <div className={classes.runTitle}>
              <h1 className={classes.heading}>
                <bdi>{data.id}</bdi>
              </h1>
              <RunStatusBadge run={data} />
            </div>
            <Group gap="xs">
              <CopyButton
                size="xs"
                variant="default"
                leftSection={<Icon name="link" size={14} />}
                text={location.href}
              >
                {texts.webhooks.copyLink}
              </CopyButton>
              {webhook !== undefined && <RunButton webhook={webhook} again={id} />}
              {isOpen(data) && <CancelButton run={data} webhook={webhook} />}
            </Group>
          </div>
          <Facts run={data} webhook={webhook} />
          <OutputView run={data} onEnd={onEnd} />
        </>
      )}
    </>
  )
}

function Facts({ run, webhook }: { run: Run; webhook: ListedWebhook | undefined }): ReactNode {
  const { webhooks: texts } = useTexts()
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [texts.duration, <RunDuration key="duration" run={run} />],
    [texts.waited, <Waited key="waited" run={run} />],
    [
      texts.waitsFor,
      run.status === 'queued' && <WaitsFor key="waits" run={run} webhook={webhook} />,
    ],
    [texts.startedBy, run.cause && <StartedBy key="cause" cause={run.cause} />],
    [
      run.started_at === null ? texts.created : texts.started,
      <LocalTime key="started" at={run.started_at ?? run.created_at} />,
    ],
    [texts.finished, run.finished_at && <LocalTime key="finished" at={run.finished_at} />],
    // The status beside it says the reason.
    [texts.exit, run.reason === null ? run.exit_code : null],
    [texts.address, run.client_ip],
    [texts.attempts, run.attempts > 1 ? run.attempts : null],
    [texts.runId, <code key="id">{run.run_id}</code>],
    [texts.command, run.argv && <code key="argv">{visible(run.argv.join(' '))}</code>],
    [texts.values, sentValuesOf(run)],
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) =>
        value === null || value === undefined || value === false ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** Ends a run, once that is confirmed. */
function CancelButton({
  run,
  webhook,
}: {
  run: Run
  webhook: ListedWebhook | undefined
}): ReactNode {
  const texts = useTexts()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => hooks.cancel(run.run_id),
    onSettled: () => {
      setAsking(false)
      return queries.invalidateQueries({ queryKey: ['run', run.run_id] })
    },
  })
  // It may have ended meanwhile, which is as good.
  const failure = isClientError(cancel.error, 'run_finished') ? null : cancel.error
  return (
    <>
      <MayButton
        action="webhooks:cancel"
        {...(webhook && { granted: webhook.actions })}
        size="xs"
        color="red"
        variant="outline"
        leftSection={<Icon name="stop" size={14} />}
        onClick={() => setAsking(true)}
      >
        {texts.webhooks.cancel}
      </MayButton>
      {cancel.isSuccess && (
        <span className={classes.quiet} role="status">
          {texts.webhooks.canceling}
        </span>
      )}
      {failure !== null && <Failure error={failure} />}
      <Dialog opened={isAsking} onClose={() => setAsking(false)} title={texts.webhooks.cancelTitle}>
        <p className={classes.note}>{texts.webhooks.cancelDetail}</p>
        <Group justify="flex-end" mt="md">
          <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
            {texts.webhooks.keep}
          </Button>
          <Button color="red" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {texts.webhooks.cancel}
          </Button>
        </Group>
      </Dialog>
    </>
  )
}
