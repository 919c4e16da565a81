import { isClientError, type ListedApiKey } from '@gatehouse/client'
import { Button, Group } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client } from '../../data/services.ts'
import type { PeopleTexts } from '../../texts/en-people.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { clip } from '../../widgets/clip.ts'
import { MoreButton } from '../../widgets/more-button.tsx'
import { Empty, Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import classes from './people-page.module.css'
import { type Revocable, RevokeDialog } from './revoke-dialog.tsx'

/** The API keys of a user, or of all services. A user on a server without keys has no such part. */
export function ApiKeys({ userId }: { userId?: string }): ReactNode {
  const people = usePeopleTexts()
  const [isCreating, setCreating] = useState(false)
  const [ending, setEnding] = useState<ListedApiKey>()
  const list = useInfiniteQuery({
    queryKey: ['api-keys', userId],
    queryFn: ({ signal, pageParam }) =>
      client.users.apiKeys(
        userId === undefined
          ? { limit: 50, ...(pageParam && { after: pageParam }) }
          : { user: userId },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const { data, error, isPending, refetch } = list
  const isOff = isClientError(error, 'ApiKeysDisabled')
  if (userId !== undefined && (isPending || isOff)) return null
  const items = data?.pages.flatMap((page) => page.items) ?? []
  const [page] = data?.pages ?? []
  return (
    <section className={classes.part} aria-label={people.keys}>
      <Group justify="space-between" align="start">
        <h2>{people.keys}</h2>
        {page !== undefined && (
          <Button size="xs" variant="default" onClick={() => setCreating(true)}>
            {people.createKey}
          </Button>
        )}
      </Group>
      {isPending && <Loading />}
      {isOff && (
        <Empty title={people.noKeys}>
          <span>{people.noKeysDetail}</span>
        </Empty>
      )}
      {error !== null && !isOff && <Failure error={error} onRetry={() => void refetch()} />}
      {page !== undefined && items.length === 0 && <p className={classes.note}>{people.noKeys}</p>}
      <ul className={classes.items}>
        {items.map((key) => (
          <KeyItem key={key.id} apiKey={key} onRevoke={() => setEnding(key)} />
        ))}
      </ul>
      <MoreButton list={list}>{people.more}</MoreButton>
      {page !== undefined && (
        <NewKeyDialog
          rules={page}
          isOpen={isCreating}
          onClose={() => setCreating(false)}
          {...(userId !== undefined && { userId })}
        />
      )}
      <RevokeDialog
        asked={ending && revocable(ending, people)}
        onClose={() => setEnding(undefined)}
      />
    </section>
  )
}

function KeyItem({ apiKey, onRevoke }: { apiKey: ListedApiKey; onRevoke: () => void }): ReactNode {
  const people = usePeopleTexts()
  const { id, name, service, scopes, createdAt, expiresAt, lastUsedAt, lastUsedIp } = apiKey
  return (
    <li className={classes.item}>
      <div className={classes.itemBody}>
        <strong>
          {service !== null && `${service}: `}
          <bdi>{clip(name)}</bdi>
        </strong>
        <p className={classes.note}>
          <code>{id}</code> · {scopes.join(', ')}
        </p>
        <p className={classes.note}>
          {people.created} <LocalTime at={createdAt} />
          {expiresAt !== null && (
            <>
              {' '}
              · {people.goodUntil} <LocalTime at={expiresAt} />
            </>
          )}
        </p>
        <p className={classes.note}>
          {lastUsedAt === null ? (
            people.neverUsed
          ) : (
            <>
              {people.lastUsed} <LocalTime at={lastUsedAt} />{' '}
              {lastUsedIp !== null && people.usedFrom(lastUsedIp)}
            </>
          )}
        </p>
      </div>
      <Button
        size="xs"
        variant="default"
        aria-label={people.revokeKey(clip(name))}
        onClick={onRevoke}
      >
        {people.endKey}
      </Button>
    </li>
  )
}

function revocable({ id, name }: ListedApiKey, people: PeopleTexts): Revocable {
  const shown = clip(name)
  return {
    id,
    title: people.revokeKey(shown),
    detail: people.revokeKeyDetail(shown),
    action: people.endKey,
    queryKey: ['api-keys'],
    revoke: () => client.users.revokeApiKey(id),
  }
}
