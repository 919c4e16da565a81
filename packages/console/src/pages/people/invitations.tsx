import type { Invitation } from '@gatehouse/client'
import { Button, Group } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../data/services.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { clip } from '../../widgets/clip.ts'
import { MoreButton } from '../../widgets/more-button.tsx'
import { Failure } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './people-page.module.css'

/** The invitations that are open, if there are any. */
export function Invitations(): ReactNode {
  const people = usePeopleTexts()
  const queries = useQueryClient()
  const list = useInfiniteQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal, pageParam }) =>
      client.users.invitations({ limit: 50, ...(pageParam && { after: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const change = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  })
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  if (items.length === 0) return null
  return (
    <section className={classes.part} aria-label={people.invitations}>
      <h2>{people.invitations}</h2>
      {change.error !== null && <Failure error={change.error} />}
      <ul className={classes.items}>
        {items.map((one) => (
          <InvitationItem
            key={one.id}
            invitation={one}
            onResend={() => change.mutate(() => client.users.resendInvitation(one.id))}
            onRevoke={() => change.mutate(() => client.users.revokeInvitation(one.id))}
          />
        ))}
      </ul>
      <MoreButton list={list}>{people.more}</MoreButton>
    </section>
  )
}

function InvitationItem({
  invitation: { email, sentAt, createdAt, expiresAt },
  onResend,
  onRevoke,
}: {
  invitation: Invitation
  onResend: () => void
  onRevoke: () => void
}): ReactNode {
  const people = usePeopleTexts()
  return (
    <li className={classes.item}>
      <div className={classes.itemBody}>
        <strong>
          <bdi>{clip(email)}</bdi>
        </strong>
        <p className={classes.note}>
          {people.invitedAt} <LocalTime at={sentAt ?? createdAt} /> · {people.goodUntil}{' '}
          <LocalTime at={expiresAt} />
        </p>
      </div>
      <Group gap="xs">
        <Button size="xs" variant="default" aria-label={people.resendTo(email)} onClick={onResend}>
          {people.resend}
        </Button>
        <Button size="xs" variant="default" aria-label={people.revokeOf(email)} onClick={onRevoke}>
          {people.revoke}
        </Button>
      </Group>
    </li>
  )
}
