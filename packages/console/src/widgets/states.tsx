import { isClientError } from '@gatehouse/client'
import { Alert, Button, Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'
import classes from './states.module.css'

/** While the first answer is on its way. */
export function Loading(): ReactNode {
  const texts = useTexts()
  return (
    <div className={classes.state} role="status">
      <Loader size="sm" />
      <span>{texts.states.loading}</span>
    </div>
  )
}

/** A list without items, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className={classes.state}>
      <strong>{title}</strong>
      {children}
    </div>
  )
}

/** What failed, in the words of the server where it has some. */
export function Failure({
  title,
  error,
  onRetry,
}: {
  title?: string
  error?: unknown
  onRetry?: () => void
}): ReactNode {
  const texts = useTexts()
  const { heading, detail } = wordsOf(error, texts)
  return (
    <Alert color="red" icon={<Icon name="warning" />} title={title ?? heading} role="alert">
      {detail}
      {onRetry && (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          {texts.states.retry}
        </Button>
      )}
    </Alert>
  )
}

/** Why the server did not take a filter, to be said at its field. */
export function refusalOf(error: unknown): string | undefined {
  return isClientError(error) && error.status === 400 ? error.message : undefined
}

function wordsOf(
  error: unknown,
  { states }: ReturnType<typeof useTexts>,
): { heading: string; detail: string } {
  if (error === undefined) return { heading: states.failed, detail: '' }
  if (!isClientError(error)) return { heading: states.fault, detail: String(error) }
  if (error.reason === 'Unreachable')
    return { heading: states.offline, detail: states.offlineDetail }
  if (error.status === 401) return { heading: states.signIn, detail: error.message }
  if (error.status === 403) return { heading: states.notAllowed, detail: error.message }
  return { heading: states.failed, detail: error.message }
}
