import type { Notification } from '@gatehouse/client'
import { SegmentedControl, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useRefetchInterval } from '../../data/live.ts'
import { client } from '../../data/services.ts'
import { useParameter } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { Empty, Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './notifications-page.module.css'

const choices = ['sent', 'failed'] as const

/** What was sent to whom, what failed and why, and what was not sent and why. */
export default function NotificationsPage(): ReactNode {
  const texts = useTexts()
  const [chosen, setChosen] = useParameter('outcome')
  const outcome = choices.find((one) => one === chosen)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['notifications', outcome],
    queryFn: ({ signal }) =>
      client.notifications({ limit: 200, ...(outcome && { outcome: [outcome] }) }, { signal }),
    refetchInterval: useRefetchInterval(),
  })
  return (
    <>
      <h1 className={classes.heading}>{texts.pages.notifications}</h1>
      <SegmentedControl
        aria-label={texts.notifications.outcome}
        value={outcome ?? 'all'}
        onChange={(value) => setChosen(value === 'all' ? '' : value)}
        data={[
          { value: 'all', label: texts.notifications.all },
          ...choices.map((value) => ({ value, label: texts.notifications.outcomes[value] })),
        ]}
      />
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && error === null && <Loading />}
      {data?.items.length === 0 && <Empty title={texts.notifications.none} />}
      {data !== undefined && data.items.length > 0 && <List items={data.items} />}
    </>
  )
}

function List({ items }: { items: readonly Notification[] }): ReactNode {
  const { notifications } = useTexts()
  return (
    <Table.ScrollContainer minWidth={640} className={classes.list}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{notifications.time}</Table.Th>
            <Table.Th>{notifications.receiver}</Table.Th>
            <Table.Th>{notifications.outcome}</Table.Th>
            <Table.Th>{notifications.alerts}</Table.Th>
            <Table.Th>{notifications.why}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((one) => (
            <Table.Tr key={one.id}>
              <Table.Td className={classes.time}>
                <LocalTime at={one.at} />
              </Table.Td>
              <Table.Td>
                <bdi>{one.receiver}</bdi>
                {one.integration !== undefined && (
                  <span className={classes.quiet}> {one.integration}</span>
                )}
              </Table.Td>
              <Table.Td>
                <span className={classes.outcome} data-outcome={one.outcome}>
                  {notifications.outcomes[one.outcome]}
                </span>
              </Table.Td>
              <Table.Td className={classes.quiet}>
                {notifications.firing(one.firingCount)}
                {one.resolvedCount > 0 && `, ${notifications.resolved(one.resolvedCount)}`}
              </Table.Td>
              <Table.Td className={classes.why}>
                <bdi>
                  {[one.reason, one.detail].filter((text) => text !== undefined).join(': ')}
                </bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
