import { isClientError } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { Empty, Failure } from '../../widgets/states.tsx'

/** What failed. A server without these routes answers 404 to all of them, with no reason that is theirs. */
export function UsersFailure({
  error,
  onRetry,
}: {
  error: unknown
  onRetry?: () => void
}): ReactNode {
  const people = usePeopleTexts()
  if (isClientError(error, 'NotFound')) {
    return (
      <Empty title={people.notServed}>
        <span>{people.notServedDetail}</span>
      </Empty>
    )
  }
  if (isClientError(error, 'UserNotFound')) return <Empty title={people.gone} />
  return <Failure error={error} {...(onRetry && { onRetry })} />
}
