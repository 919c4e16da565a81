import { type Invitation, isClientError } from '@gatehouse/client'
import { Button, Group } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { showNotice } from '../../data/notice.ts'
import { client } from '../../data/services.ts'
import type { PeopleTexts } from '../../texts/en-people.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { clip } from '../../widgets/clip.ts'
import { MoreButton } from '../../widgets/more-button.tsx'
import { Failure } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './people-page.module.css'
import { type Revocable, RevokeDialog } from './revoke-dialog.tsx'

const queryKey = ['invitations']

/** The invitations that are open, if there are any. */
export function Invitations(): ReactNode {
  const people = usePeopleTexts()
  const queries = useQueryClient()
  const [ending, setEnding] = useState<Invitation>()
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      client.users.invitations({ limit: 50, ...(pageParam && { after: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const resend = useMutation({
    mutationFn: ({ id }: Invitation) => client.users.resendInvitation(id),
    onSuccess: (_, { email }) => showNotice({ text: people.resent(clip(email)) }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  // The list of users says that a server lets nobody manage them.
  const failure = isClientError(list.error, 'NotFound') ? null : list.error
  return (
    <>
      {(items.length > 0 || failure !== null) && (
        <section
          className={`${classes.part} ${classes.invitations}`}
          aria-label={people.invitations}
        >
          <h2>{people.invitations}</h2>
          {failure !== null && <Failure error={failure} onRetry={() => void list.refetch()} />}
          {resend.error !== null && <ResendFailure error={resend.error} />}
          <ul className={classes.items}>
            {items.map((one) => (
              <InvitationItem
                key={one.id}
                invitation={one}
                isResending={resend.isPending && resend.variables.id === one.id}
                onResend={() => resend.mutate(one)}
                onRevoke={() => {
                  resend.reset()
                  setEnding(one)
                }}
              />
            ))}
          </ul>
          <MoreButton list={list}>{people.more}</MoreButton>
        </section>
      )}
      <RevokeDialog
        asked={ending && revocable(ending, people)}
        onClose={() => setEnding(undefined)}
      />
    </>
  )
}

function ResendFailure({ error }: { error: Error }): ReactNode {
  const { resendLimit, resendLimitDetail } = usePeopleTexts()
  if (!isClientError(error, 'RateLimited')) return <Failure error={error} />
  return <Failure title={resendLimit} detail={resendLimitDetail} />
}

function InvitationItem({
  invitation: { email, sentAt, createdAt, expiresAt },
  isResending,
  onResend,
  onRevoke,
}: {
  invitation: Invitation
  isResending: boolean
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
        <Button
          size="xs"
          variant="default"
          aria-label={people.resendTo(email)}
          loading={isResending}
          onClick={onResend}
        >
          {people.resend}
        </Button>
        <Button size="xs" variant="default" aria-label={people.revokeOf(email)} onClick={onRevoke}>
          {people.revoke}
        </Button>
      </Group>
    </li>
  )
}

function revocable({ id, email }: Invitation, people: PeopleTexts): Revocable {
  const shown = clip(email)
  return {
    id,
    title: people.revokeOf(shown),
    detail: people.revokeDetail(shown),
    action: people.revoke,
    done: people.revoked(shown),
    queryKey,
    revoke: () => client.users.revokeInvitation(id),
  }
}
