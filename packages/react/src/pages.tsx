import type { EmbeddedProps } from '@gatehouse/sign-in/embedded.tsx'
import { type ComponentType, type ReactElement, useCallback, useEffect, useState } from 'react'
import { useGatehouse } from './session.tsx'

/** Properties of {@link SignIn}. */
export interface SignInProps {
  /** What to begin with (default `login`). Its links lead to the others in place. */
  readonly page?: 'login' | 'signup' | 'recovery' | undefined
  /** Where people go once they have signed in (default: `return_to` of the address; without it they stay). */
  readonly after?: string | undefined
  /** The language, such as `de` (default: as the browser wishes). */
  readonly language?: string | undefined
  /** Is called in place of going there, as for the router of the app. `to` is checked by the server. */
  readonly onSignedIn?: ((to: string | undefined) => void) | undefined
}

/** Properties of {@link Account}. */
export interface AccountProps {
  /** The language, such as `de` (default: as the browser wishes). */
  readonly language?: string | undefined
  /** Is called once people have signed out here. */
  readonly onSignedOut?: (() => void) | undefined
}

/** The screens, which only people who see them load. React runs what the compiler believes to be Preact's. */
async function loadScreens(): Promise<ComponentType<EmbeddedProps>> {
  const { Embedded } = await import('@gatehouse/sign-in/embedded.tsx')
  return Embedded as unknown as ComponentType<EmbeddedProps>
}

function Screens(props: Omit<EmbeddedProps, 'settingsUrl'>): ReactElement {
  const { settingsUrl } = useGatehouse()
  const [Screen, setScreen] = useState<ComponentType<EmbeddedProps> | undefined>(undefined)
  useEffect(() => {
    loadScreens().then(
      (loaded) => setScreen(() => loaded),
      (error: unknown) => {
        // The boundary of the app shows that its files are gone.
        setScreen(() => {
          throw error
        })
      },
    )
  }, [])
  return (
    <div className="gatehouse" aria-busy={Screen === undefined}>
      {Screen !== undefined && <Screen settingsUrl={settingsUrl} {...props} />}
    </div>
  )
}

/**
 * The pages to sign in, sign up and recover an account, within a page of the app. They need `signInRoutes` on the server, and
 * `@gatehouse/react/styles.css`.
 *
 * @example
 * <SignIn after="/welcome" />
 */
export function SignIn({ page = 'login', after, language, onSignedIn }: SignInProps): ReactElement {
  const { refresh } = useGatehouse()
  const done = useCallback(
    async (to: string | undefined): Promise<void> => {
      await refresh()
      if (onSignedIn !== undefined) onSignedIn(to)
      else if (to !== undefined) location.replace(to)
    },
    [refresh, onSignedIn],
  )
  return <Screens key={page} page={page} after={after} language={language} onDone={done} />
}

/** The account of the person who is signed in, within a page of the app. */
export function Account({ language, onSignedOut }: AccountProps): ReactElement {
  const { refresh } = useGatehouse()
  const done = useCallback(async (): Promise<void> => {
    await refresh()
    onSignedOut?.()
  }, [refresh, onSignedOut])
  return <Screens page="account" language={language} onDone={done} />
}
