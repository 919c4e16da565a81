import type { User } from '@gatehouse/client'
import { Table, TextInput } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue } from 'react'
import { client } from '../../data/services.ts'
import { loginIdsOfUser, nameOfUser } from '../../people/describe-user.ts'
import { hashOf, useParameter } from '../../route/route.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { clip } from '../../widgets/clip.ts'
import { DataTable } from '../../widgets/data-table.tsx'
import { Icon } from '../../widgets/icon.tsx'
import { MoreButton } from '../../widgets/more-button.tsx'
import { Empty, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './people-page.module.css'
import { UserStateBadge } from './user-state-badge.tsx'
import { UsersFailure } from './users-failure.tsx'

/** The newest users, or those that are found. */
export function UserList(): ReactNode {
  const people = usePeopleTexts()
  const [search, setSearch] = useParameter('search')
  const wanted = useDeferredValue(search.trim())
  const list = useInfiniteQuery({
    queryKey: ['users', wanted],
    queryFn: ({ signal, pageParam }) =>
      client.users.list(
        wanted === '' ? { limit: 50, ...(pageParam && { after: pageParam }) } : { search: wanted },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
  const { data, error, isPending, refetch } = list
  const users = data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <TextInput
        className={classes.search ?? ''}
        type="search"
        aria-label={people.search}
        placeholder={people.search}
        description={people.searchDetail}
        leftSection={<Icon name="search" />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {error !== null && <UsersFailure error={error} onRetry={() => void refetch()} />}
      {isPending && error === null && <Loading />}
      {data !== undefined && users.length === 0 && (
        <Empty title={wanted === '' ? people.none : people.noMatch}>
          <span>{wanted === '' ? people.noneDetail : people.noMatchDetail}</span>
        </Empty>
      )}
      {users.length > 0 && <Users users={users} />}
      <MoreButton list={list}>{people.more}</MoreButton>
    </>
  )
}

function Users({ users }: { users: readonly User[] }): ReactNode {
  const people = usePeopleTexts()
  return (
    <DataTable
      label={people.list}
      heads={[people.name, people.loginIds, people.state, people.lastLogin, people.created]}
      minWidth={640}
    >
      {users.map((user) => (
        <Table.Tr key={user.id}>
          <Table.Td className={classes.name}>
            <a href={hashOf(['people', 'user', user.id])}>
              <bdi>{clip(nameOfUser(user))}</bdi>
            </a>
          </Table.Td>
          <Table.Td>
            {loginIdsOfUser(user).map((loginId) => (
              <div key={loginId}>
                <bdi>{clip(loginId)}</bdi>
              </div>
            ))}
          </Table.Td>
          <Table.Td>
            <UserStateBadge user={user} />
          </Table.Td>
          <Table.Td className={classes.quiet}>
            {user.lastLoginAt === null ? people.never : <LocalTime at={user.lastLoginAt} />}
          </Table.Td>
          <Table.Td className={classes.quiet}>
            <LocalTime at={user.createdAt} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  )
}
