import type { UserAccount } from '@gatehouse/client'
import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client } from '../../data/services.ts'
import { nameOfUser } from '../../people/describe-user.ts'
import { hashOf } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { PageHead } from '../../widgets/page-head.tsx'
import { Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import { Authenticators } from './authenticators.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { DisableDialog } from './disable-dialog.tsx'
import { Identities } from './identities.tsx'
import classes from './people-page.module.css'
import { Sessions } from './sessions.tsx'
import { UserEvents } from './user-events.tsx'
import { UserStateBadge } from './user-state-badge.tsx'
import { UsersFailure } from './users-failure.tsx'

/** One user, and what an operator can do about the user. */
export function UserDetails({ id }: { id: string }): ReactNode {
  const { pages } = useTexts()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['user', id],
    queryFn: ({ signal }) => client.users.get(id, { signal }),
    refetchInterval: 15_000,
  })
  return (
    <>
      <p className={classes.note}>
        <a href={hashOf(['people'])}>← {pages.people}</a>
      </p>
      {error === null && data !== undefined ? (
        <Account account={data} />
      ) : (
        <>
          <PageHead title={pages.people} />
          {isPending && error === null && <Loading />}
          {error !== null && <UsersFailure error={error} onRetry={() => void refetch()} />}
        </>
      )}
    </>
  )
}

function Account({ account }: { account: UserAccount }): ReactNode {
  const { people } = useTexts()
  const { user, lockout } = account
  const { id } = user
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<'disable' | 'delete'>()
  const change = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSettled: () =>
      Promise.all(
        [['user', id], ['user-events', id], ['users']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  })
  const { lockedUntil } = lockout
  return (
    <>
      <Group justify="space-between" align="start">
        <div>
          <h1 className={classes.heading}>
            <bdi>{clip(nameOfUser(user))}</bdi>
          </h1>
          <div className={classes.states}>
            <UserStateBadge user={user} />
            {account.isVerified && <span className={classes.state}>{people.verified}</span>}
            {lockedUntil !== null && (
              <span className={classes.state} data-state="locked">
                {people.lockedUntil} <LocalTime at={lockedUntil} />
              </span>
            )}
          </div>
          <p className={classes.note}>
            {people.created} <LocalTime at={user.createdAt} /> · {people.lastLogin}{' '}
            {user.lastLoginAt === null ? people.never : <LocalTime at={user.lastLoginAt} />}
          </p>
          <p className={classes.note}>
            {people.id} <code>{id}</code>
          </p>
          {user.disableReason !== null && (
            <p className={classes.note}>
              {people.reason}: <bdi>{clip(user.disableReason)}</bdi>
            </p>
          )}
        </div>
        <Group gap="xs">
          {lockout.attempts > 0 && (
            <Button
              variant="default"
              onClick={() => change.mutate(() => client.users.resetLockout(id))}
            >
              {people.resetLockout(lockout.attempts)}
            </Button>
          )}
          {user.isDisabled ? (
            <Button variant="default" onClick={() => change.mutate(() => client.users.enable(id))}>
              {people.enable}
            </Button>
          ) : (
            <Button variant="default" onClick={() => setDialog('disable')}>
              {people.disable}
            </Button>
          )}
          <Button color="red" variant="outline" onClick={() => setDialog('delete')}>
            {people.delete}
          </Button>
        </Group>
      </Group>
      {change.error !== null && <Failure error={change.error} />}
      <div className={classes.parts}>
        <Identities identities={account.identities} />
        <Authenticators account={account} />
        <Sessions
          account={account}
          onEnd={(session) => change.mutate(() => client.users.revokeSession(id, session))}
          onEndAll={() => change.mutate(() => client.users.revokeSessions(id))}
        />
        <UserEvents id={id} />
        <section className={classes.part}>
          <h2>{people.attributes}</h2>
          <pre className={classes.attributes}>
            {JSON.stringify({ ...user.standardAttributes, ...user.customAttributes }, null, 2)}
          </pre>
        </section>
      </div>
      <DisableDialog
        isOpen={dialog === 'disable'}
        onClose={() => setDialog(undefined)}
        onDisable={(reason) => {
          setDialog(undefined)
          change.mutate(() => client.users.disable(id, reason))
        }}
      />
      <DeleteDialog user={user} isOpen={dialog === 'delete'} onClose={() => setDialog(undefined)} />
    </>
  )
}
