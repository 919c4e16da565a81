import { everyItem, type LabelSet } from '@gatehouse/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { matchersOf } from '../../alerts/copied-texts.ts'
import { type TimelineItem, timelineOf } from '../../alerts/timeline.ts'
import { client } from '../../data/services.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './group-timeline.module.css'

const limit = 50

/** What happened to the alerts of a group, and what was notified of them. */
export function GroupTimeline({
  labels,
  receiver,
}: {
  labels: LabelSet
  receiver: string | undefined
}): ReactNode {
  const { timeline } = useTexts()
  const events = useQuery({
    queryKey: ['alert-history', labels],
    queryFn: ({ signal }) =>
      client.alerts.history({ filter: matchersOf(labels), limit }, { signal }),
  })
  const notifications = useQuery({
    queryKey: ['notifications', 'of-group', labels, receiver],
    queryFn: async ({ signal }) => {
      const groupKey = await groupKeyOf(labels, receiver, signal)
      if (groupKey === undefined) return []
      const query = { groupKey, limit, ...(receiver === undefined ? {} : { receiver }) }
      return (await client.notifications(query, { signal })).items
    },
  })
  const silences = useQuery({
    queryKey: ['alert-history', 'silences', labels],
    queryFn: ({ signal }) =>
      client.silences.history({ filter: matchersOf(labels), limit }, { signal }),
  })
  const error = events.error ?? notifications.error ?? silences.error
  if (error !== null) return <Failure error={error} />
  if (!events.data || !notifications.data || !silences.data) return <Loading />
  const items = timelineOf(events.data.items, notifications.data, silences.data.items).slice(
    0,
    limit,
  )
  if (items.length === 0) return <p className={classes.none}>{timeline.none}</p>
  return (
    <ol className={classes.timeline} aria-label={timeline.title}>
      {items.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </ol>
  )
}

function Item({ item }: { item: TimelineItem }): ReactNode {
  const { timeline, alerts, notifications } = useTexts()
  const { at, kind, count, alert, receiver, reason, detail, href } = item
  const word = timeline.kinds[kind]
  return (
    <li data-kind={kind}>
      <span className={classes.time}>
        <LocalTime at={at} hasSeconds />
      </span>
      <span className={classes.what}>
        <strong>{href === undefined ? word : <a href={href}>{word}</a>}</strong>{' '}
        {receiver !== undefined && <bdi>→ {receiver} </bdi>}
        {count > 0 && (
          <bdi>{count === 1 && alert !== undefined ? clip(alert) : alerts.count(count)}</bdi>
        )}
        {reason !== undefined && (
          <span className={classes.detail}> · {notifications.reasons[reason] ?? reason}</span>
        )}
        {detail !== undefined && (
          <span className={classes.detail}>
            {' · '}
            <bdi>{clip(detail)}</bdi>
          </span>
        )}
      </span>
    </li>
  )
}

/** The key of the group with just these labels at this receiver, which lists of Alertmanager's API do not tell. */
async function groupKeyOf(
  labels: LabelSet,
  receiver: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const query = { filter: matchersOf(labels), fields: ['groupKey', 'labels', 'receiver'] }
  for await (const group of everyItem(client.alerts.groupsPage, query, { signal })) {
    const isSame =
      (receiver === undefined || group.receiver.name === receiver) &&
      Object.keys(group.labels).length === Object.keys(labels).length &&
      Object.entries(labels).every(([name, value]) => group.labels[name] === value)
    if (isSame) return group.groupKey
  }
  return undefined
}
