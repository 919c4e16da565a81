import type { UserApp } from '@gatehouse/client'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client } from '../../data/services.ts'
import type { PeopleTexts } from '../../texts/en-people.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { useLanguage } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { Failure } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './people-page.module.css'
import { type Revocable, RevokeDialog } from './revoke-dialog.tsx'

/** The apps that a user has let in. Without any, as on a server that lets no apps in, there is no such part. */
export function Apps({ userId }: { userId: string }): ReactNode {
  const people = usePeopleTexts()
  const uiLocales = useLanguage()
  const [ending, setEnding] = useState<UserApp>()
  const { data, error, refetch } = useQuery({
    queryKey: ['user-apps', userId, uiLocales],
    queryFn: ({ signal }) => client.users.apps(userId, { uiLocales }, { signal }),
  })
  const apps = data ?? []
  // An open dialog closes by itself once its app is gone.
  if (apps.length === 0 && error === null && ending === undefined) return null
  return (
    <section className={classes.part} aria-label={people.apps}>
      <h2>{people.apps}</h2>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      <ul className={classes.items}>
        {apps.map((app) => (
          <AppItem key={app.clientId} app={app} onRevoke={() => setEnding(app)} />
        ))}
      </ul>
      <RevokeDialog
        asked={ending && revocable(userId, ending, people)}
        onClose={() => setEnding(undefined)}
      />
    </section>
  )
}

function AppItem({ app, onRevoke }: { app: UserApp; onRevoke: () => void }): ReactNode {
  const people = usePeopleTexts()
  const { clientId, name, access, authorizedAt, lastUsedAt } = app
  return (
    <li className={classes.item}>
      <div className={classes.itemBody}>
        <strong>
          <bdi>{clip(name)}</bdi>
        </strong>
        <p className={classes.note}>
          <code>{clip(clientId)}</code>
        </p>
        {access.map(({ api = '', items }) => (
          <p key={api} className={classes.note}>
            {api !== '' && `${clip(api)}: `}
            {items.join(', ')}
          </p>
        ))}
        <p className={classes.note}>
          {people.letInSince} <LocalTime at={authorizedAt} /> · {people.lastUsed}{' '}
          <LocalTime at={lastUsedAt} />
        </p>
      </div>
      <Button
        size="xs"
        variant="default"
        aria-label={people.revokeApp(clip(name))}
        onClick={onRevoke}
      >
        {people.endKey}
      </Button>
    </li>
  )
}

function revocable(userId: string, { clientId, name }: UserApp, people: PeopleTexts): Revocable {
  const shown = clip(name)
  return {
    id: clientId,
    title: people.revokeApp(shown),
    detail: people.revokeAppDetail(shown),
    action: people.endKey,
    done: people.appRevoked(shown),
    queryKey: ['user-apps', userId],
    revoke: () => client.users.revokeApp(userId, clientId),
  }
}
