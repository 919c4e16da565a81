import { formatMatcher, readMatchers } from '@gatehouse/client'
import { SegmentedControl, Select } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { addMatcher } from '../../alerts/add-matcher.ts'
import { useRefetchInterval } from '../../data/live.ts'
import { client } from '../../data/services.ts'
import {
  notSent,
  outcomeChoiceOf,
  outcomesOf,
  type Period,
  periodOf,
  periods,
  startOf,
} from '../../notifications/outcomes.ts'
import { useParameter } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { useNow } from '../../time/now.ts'
import { Dialog, SideDialog } from '../../widgets/dialog.tsx'
import { MatcherInput } from '../../widgets/matcher-input/matcher-input.tsx'
import { MayButton } from '../../widgets/may-button.tsx'
import { MoreButton } from '../../widgets/more-button.tsx'
import { PageHead } from '../../widgets/page-head.tsx'
import { Empty, Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import { NotificationView } from './notification-details.tsx'
import { NotificationList } from './notification-list.tsx'
import classes from './notifications-page.module.css'
import { ReceiverCharts } from './receiver-charts.tsx'
import { TestForm } from './test-form.tsx'

const all = 'all'

/** What was sent to whom, what failed and why, and what was not sent and why. */
export default function NotificationsPage(): ReactNode {
  const texts = useTexts()
  const { notifications } = texts
  const [outcome] = useParameter('outcome')
  const [receiver, setReceiver] = useParameter('receiver')
  const [filter, setFilter] = useParameter('filter')
  const [period] = useParameter('period')
  const [open, setOpen] = useParameter('open')
  const [test, setTest] = useParameter('test')
  const from = startOf(periodOf(period), useNow())
  const choice = outcomeChoiceOf(outcome)
  const matchers = (readMatchers(filter).matchers ?? []).map(formatMatcher)
  const asked = { ...(receiver && { receiver }), ...(matchers.length > 0 && { filter: matchers }) }
  const question = JSON.stringify([asked, periodOf(period)])
  const refetchInterval = useRefetchInterval()
  const list = useInfiniteQuery({
    queryKey: ['notifications', question, choice],
    queryFn: ({ signal, pageParam }) =>
      client.notifications(
        {
          ...asked,
          from,
          limit: 100,
          ...(choice !== undefined && { outcome: outcomesOf(choice) }),
          ...(pageParam && { after: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  const counts = useQuery({
    queryKey: ['notification-counts', question],
    queryFn: ({ signal }) => client.notificationCounts({ ...asked, from, parts: 48 }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const add = (name: string, value: string, isEqual: boolean): void =>
    setFilter(addMatcher(filter, name, value, isEqual), 'step')
  const isFiltered = choice !== undefined || receiver !== '' || matchers.length > 0
  const last = list.data?.pages.at(-1)
  return (
    <>
      <PageHead title={texts.pages.notifications}>
        <MayButton
          action="receivers:test"
          variant="default"
          onClick={() => setTest(`=${receiver}`)}
        >
          {notifications.test}
        </MayButton>
      </PageHead>
      <Filters />
      {list.error !== null && (
        <Failure error={list.error} triesAgain onRetry={() => void list.refetch()} />
      )}
      {list.isPending && list.error === null && <Loading />}
      {counts.data !== undefined && counts.data.receivers.length > 0 && (
        <ReceiverCharts counts={counts.data} onPick={(name) => setReceiver(name, 'step')} />
      )}
      {list.data !== undefined && items.length === 0 && !list.hasNextPage && (
        <Empty title={isFiltered ? notifications.noMatch : notifications.none}>
          <span>{isFiltered ? notifications.noMatchDetail : notifications.noneDetail}</span>
        </Empty>
      )}
      {items.length > 0 && <NotificationList items={items} onOpen={setOpen} onPick={add} />}
      <MoreButton list={list}>{notifications.older}</MoreButton>
      {last !== undefined && items.length > 0 && !list.hasNextPage && (
        <p className={classes.end}>
          {notifications.since} <LocalTime at={from} />
        </p>
      )}
      <SideDialog
        opened={open !== ''}
        onClose={() => setOpen('')}
        position="right"
        size="lg"
        title={notifications.details}
      >
        {open !== '' && <NotificationView key={open} id={open} />}
      </SideDialog>
      <Dialog opened={test !== ''} onClose={() => setTest('')} title={notifications.test}>
        {test !== '' && <TestForm receiver={test.slice(1)} onCancel={() => setTest('')} />}
      </Dialog>
    </>
  )
}

/** Which notifications are listed. */
function Filters(): ReactNode {
  const { notifications } = useTexts()
  const [outcome, setOutcome] = useParameter('outcome')
  const [receiver, setReceiver] = useParameter('receiver')
  const [filter, setFilter] = useParameter('filter')
  const [period, setPeriod] = useParameter('period')
  const receivers = useQuery({
    queryKey: ['receivers'],
    queryFn: ({ signal }) => client.receivers({}, { signal }),
    staleTime: 60_000,
  })
  const names = new Set([
    ...(receivers.data ?? []).map(({ name }) => name),
    ...(receiver === '' ? [] : [receiver]),
  ])
  return (
    <div className={classes.filters}>
      <Select
        aria-label={notifications.receiver}
        searchable
        allowDeselect={false}
        value={receiver === '' ? all : `=${receiver}`}
        onChange={(chosen) => setReceiver(chosen?.startsWith('=') ? chosen.slice(1) : '', 'step')}
        data={[
          { value: all, label: notifications.allReceivers },
          ...[...names].map((name) => ({ value: `=${name}`, label: name })),
        ]}
      />
      <Select
        aria-label={notifications.outcome}
        allowDeselect={false}
        value={outcomeChoiceOf(outcome) ?? all}
        onChange={(chosen) => setOutcome(chosen === all ? '' : (chosen ?? ''), 'step')}
        data={[
          { value: all, label: notifications.all },
          { value: 'sent', label: notifications.outcomes.sent },
          { value: 'failed', label: notifications.outcomes.failed },
          { value: 'not-sent', label: notifications.notSentTitle },
          {
            group: notifications.notSentBecause,
            items: notSent.map((value) => ({ value, label: notifications.outcomes[value] })),
          },
        ]}
      />
      <div className={classes.matchers}>
        <MatcherInput label={notifications.filter} value={filter} onChange={setFilter} />
      </div>
      <SegmentedControl
        aria-label={notifications.period}
        value={periodOf(period)}
        onChange={(chosen) => setPeriod(chosen === '24h' ? '' : chosen, 'step')}
        data={(Object.keys(periods) as Period[]).map((value) => ({ value, label: value }))}
      />
    </div>
  )
}
