import type { AuditedEvent } from '@gatehouse/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../data/services.ts'
import { deviceOf } from '../../people/describe-user.ts'
import { wordsOfEvent } from '../../people/event-words.ts'
import { eventWords } from '../../texts/event-words.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { useLanguage } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { MoreButton } from '../../widgets/more-button.tsx'
import { Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './people-page.module.css'

/** What happened to a user, newest first. */
export function UserEvents({ id }: { id: string }): ReactNode {
  const people = usePeopleTexts()
  const list = useInfiniteQuery({
    queryKey: ['user-events', id],
    queryFn: ({ signal, pageParam }) =>
      client.users.events(id, { limit: 20, ...(pageParam && { after: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const { data, error, isPending, refetch } = list
  const events = data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section className={classes.part}>
      <h2>{people.events}</h2>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && error === null && <Loading />}
      {data !== undefined && events.length === 0 && (
        <p className={classes.note}>{people.noEvents}</p>
      )}
      <ul className={classes.items}>
        {events.map((event) => (
          <Event key={event.id} event={event} />
        ))}
      </ul>
      <MoreButton list={list}>{people.more}</MoreButton>
    </section>
  )
}

function Event({ event }: { event: AuditedEvent }): ReactNode {
  const people = usePeopleTexts()
  const { at, type, triggeredBy, operator, ipAddress: ip, userAgent: agent } = event
  const by =
    operator === undefined
      ? people.triggeredBy[triggeredBy]
      : people.byOperator(clip(operator, 100))
  return (
    <li className={classes.item}>
      <div className={classes.itemBody}>
        <strong title={type}>{wordsOfEvent(type, eventWords[useLanguage()])}</strong>
        <p className={classes.note}>
          <LocalTime at={at} hasSeconds /> ·{' '}
          <bdi>
            {[by, ip, deviceOf(agent ?? null)].filter((part) => part !== undefined).join(' · ')}
          </bdi>
        </p>
      </div>
    </li>
  )
}
