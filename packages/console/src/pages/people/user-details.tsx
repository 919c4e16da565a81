import type { UserAccount, UserSession } from '@gatehouse/client'
import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useMay } from '../../data/me.ts'
import { showNotice } from '../../data/notice.ts'
import { client } from '../../data/services.ts'
import { nameOfUser } from '../../people/describe-user.ts'
import { hashOf } from '../../route/route.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { PageHead } from '../../widgets/page-head.tsx'
import { Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Apps } from './apps.tsx'
import { Authenticators } from './authenticators.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { DisableDialog } from './disable-dialog.tsx'
import { EndSessionsDialog } from './end-sessions-dialog.tsx'
import { Identities } from './identities.tsx'
import { ImpersonateDialog } from './impersonate-dialog.tsx'
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
  const people = usePeopleTexts()
  const { user } = account
  const { id } = user
  const mayManageKeys = useMay('api-keys:manage')
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<UserDialog>()
  const [ending, setEnding] = useState<readonly UserSession[]>([])
  const change = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSettled: () =>
      Promise.all(
        [['user', id], ['user-events', id], ['users']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  })
  return (
    <>
      <Group justify="space-between" align="start">
        <AccountHead account={account} />
        <Actions account={account} onChange={change.mutate} onDialog={setDialog} />
      </Group>
      {change.error !== null && <Failure error={change.error} />}
      <div className={classes.parts}>
        <Identities identities={account.identities} />
        <Authenticators account={account} />
        <Sessions
          account={account}
          onEnd={(session) => setEnding([session])}
          onEndAll={() => setEnding(account.sessions)}
        />
        <Apps userId={id} />
        {mayManageKeys.allowed && <ApiKeys userId={id} />}
        <UserEvents id={id} />
        <section className={classes.part}>
          <h2>{people.attributes}</h2>
          <pre className={classes.attributes}>
            {JSON.stringify({ ...user.standardAttributes, ...user.customAttributes }, null, 2)}
          </pre>
        </section>
      </div>
      <EndSessionsDialog
        sessions={ending}
        isPending={change.isPending}
        onClose={() => setEnding([])}
        onEnd={() =>
          change.mutate(() => end(id, ending), {
            onSuccess: () => showNotice({ text: people.sessionsEnded(ending.length) }),
            // The list was read again by now, so the dialog does not return the focus to a button that goes away.
            onSettled: () => setEnding([]),
          })
        }
      />
      <DisableDialog
        isOpen={dialog === 'disable'}
        onClose={() => setDialog(undefined)}
        onDisable={(reason) => {
          setDialog(undefined)
          change.mutate(() => client.users.disable(id, reason))
        }}
      />
      <ImpersonateDialog
        id={id}
        isOpen={dialog === 'impersonate'}
        onClose={() => setDialog(undefined)}
      />
      <DeleteDialog user={user} isOpen={dialog === 'delete'} onClose={() => setDialog(undefined)} />
    </>
  )
}

type UserDialog = 'disable' | 'delete' | 'impersonate'

/** What an operator can do about the user as a whole. */
function Actions({
  account: { user, lockout },
  onChange,
  onDialog,
}: {
  account: UserAccount
  onChange: (run: () => Promise<unknown>) => void
  onDialog: (dialog: UserDialog) => void
}): ReactNode {
  const people = usePeopleTexts()
  const mayImpersonate = useMay('users:impersonate')
  const { id } = user
  return (
    <Group gap="xs">
      {lockout.attempts > 0 && (
        <Button variant="default" onClick={() => onChange(() => client.users.resetLockout(id))}>
          {people.resetLockout(lockout.attempts)}
        </Button>
      )}
      {mayImpersonate.allowed && (
        <Button variant="default" onClick={() => onDialog('impersonate')}>
          {people.impersonate}
        </Button>
      )}
      {user.isDisabled ? (
        <Button variant="default" onClick={() => onChange(() => client.users.enable(id))}>
          {people.enable}
        </Button>
      ) : (
        <Button variant="default" onClick={() => onDialog('disable')}>
          {people.disable}
        </Button>
      )}
      <Button color="red" variant="outline" onClick={() => onDialog('delete')}>
        {people.delete}
      </Button>
    </Group>
  )
}

/** Who the user is, and in what state. */
function AccountHead({ account }: { account: UserAccount }): ReactNode {
  const people = usePeopleTexts()
  const { user, lockout } = account
  const { lockedUntil } = lockout
  return (
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
        {people.id} <code>{user.id}</code>
      </p>
      {user.disableReason !== null && (
        <p className={classes.note}>
          {people.reason}: <bdi>{clip(user.disableReason)}</bdi>
        </p>
      )}
    </div>
  )
}

/** Ends one session of a user, or all. */
const end = (userId: string, [session, ...others]: readonly UserSession[]): Promise<unknown> =>
  session === undefined || others.length > 0
    ? client.users.revokeSessions(userId)
    : client.users.revokeSession(userId, session.id)
