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
  detail: given,
  error,
  triesAgain = false,
  onRetry,
}: {
  title?: string
  /** Default: what the error says. */
  detail?: string
  error?: unknown
  /** Whether the page asks again by itself while the server does not answer (default false). */
  triesAgain?: boolean
  onRetry?: () => void
}): ReactNode {
  const texts = useTexts()
  const { heading, detail } = wordsOf(error, triesAgain, texts)
  return (
    <Alert color="red" icon={<Icon name="warning" />} title={title ?? heading} role="alert">
      {given ?? detail}
      {onRetry && (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          {texts.states.retry}
        </Button>
      )}
    </Alert>
  )
}

/** Whether the server gave no answer at all. */
export function isUnreachable(error: unknown): boolean {
  return isClientError(error) && error.reason === 'Unreachable'
}

/** Why the server did not take a filter, to be said at its field. */
export function refusalOf(error: unknown): string | undefined {
  return isClientError(error) && error.status === 400 ? error.message : undefined
}

function wordsOf(
  error: unknown,
  triesAgain: boolean,
  { states }: ReturnType<typeof useTexts>,
): { heading: string; detail: string } {
  if (error === undefined) return { heading: states.failed, detail: '' }
  if (!isClientError(error)) return { heading: states.fault, detail: String(error) }
  if (isUnreachable(error)) {
    return {
      heading: states.offline,
      detail: triesAgain ? states.triesAgain : states.tryAgain,
    }
  }
  if (error.status === 401) {
    // Most services say the same in English.
    return {
      heading: states.signIn,
      detail: error.message === 'sign in first' ? '' : error.message,
    }
  }
  if (error.status === 403) return { heading: states.notAllowed, detail: error.message }
  return { heading: states.failed, detail: error.message }
}
