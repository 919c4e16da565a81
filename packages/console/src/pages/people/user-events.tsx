import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../data/services.ts'
import { deviceOf } from '../../people/describe-user.ts'
import { useTexts } from '../../texts/texts.ts'
import { MoreButton } from '../../widgets/more-button.tsx'
import { Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './people-page.module.css'

/** What happened to a user, newest first. */
export function UserEvents({ id }: { id: string }): ReactNode {
  const { people } = useTexts()
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
        {events.map(({ id, at, type, triggeredBy: by, ipAddress: ip, userAgent: agent }) => (
          <li key={id} className={classes.item}>
            <div className={classes.itemBody}>
              <code>{type}</code>
              <p className={classes.note}>
                <LocalTime at={at} /> ·{' '}
                {[people.triggeredBy[by], ip, deviceOf(agent ?? null)]
                  .filter((part) => part !== undefined)
                  .join(' · ')}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <MoreButton list={list}>{people.more}</MoreButton>
    </section>
  )
}
