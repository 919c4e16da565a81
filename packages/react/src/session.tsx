import { type AuthClient, type CurrentSession, createAuthClient } from '@gatehouse/client'
import {
  type Context,
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

/** Properties of {@link GatehouseProvider}. */
export interface GatehouseProviderProps {
  /** Where the service answers, such as `https://example.com/auth` (default: the origin of the page). */
  readonly url?: string | undefined
  /** The path of the account routes below `url` (default `/api/v1/account`). */
  readonly accountBasePath?: string | undefined
  /** The address of the files of `signInRoutes`, which the components ask for their settings (default: `/sign-in` below `url`). */
  readonly pages?: string | undefined
  /** The session, if it is known; `null` if there is none (default: the browser asks for it). */
  readonly session?: CurrentSession | null | undefined
  readonly children?: ReactNode
}

/** Who is signed in. */
export interface SessionState {
  /** `failed`: the service has not answered. On a server the state is `loading` unless the session is given. */
  readonly status: 'loading' | 'signed-in' | 'signed-out' | 'failed'
  /** The session and its user, while the state is `signed-in`. */
  readonly session: CurrentSession | undefined
  /** Why the service could not be asked. */
  readonly error: unknown
  /** Asks again. */
  refresh(): Promise<void>
  /** Ends the session of the browser. @throws {GatehouseClientError} */
  signOut(): Promise<void>
}

interface Gatehouse extends SessionState {
  /** The client is made when it is needed: a server that renders needs none. */
  auth(): AuthClient
  readonly settingsUrl: string
}

const GatehouseContext: Context<Gatehouse | undefined> = createContext<Gatehouse | undefined>(
  undefined,
)

/** @throws {Error} outside of a {@link GatehouseProvider}. */
export function useGatehouse(): Gatehouse {
  const gatehouse = useContext(GatehouseContext)
  if (gatehouse === undefined) throw new Error('this needs a <GatehouseProvider> around it')
  return gatehouse
}

type Known = Pick<SessionState, 'status' | 'session' | 'error'>

const knownOf = (session: CurrentSession | null | undefined): Known => ({
  status: session ? 'signed-in' : 'signed-out',
  session: session ?? undefined,
  error: undefined,
})

/**
 * Tells what is within it who is signed in. It asks when it is shown, and when people come back to the tab.
 *
 * @example
 * <GatehouseProvider>
 *   <SignedIn><Account /></SignedIn>
 *   <SignedOut><SignIn /></SignedOut>
 * </GatehouseProvider>
 */
export function GatehouseProvider({
  url,
  accountBasePath,
  pages = `${url?.replace(/\/+$/, '') ?? ''}/sign-in`,
  session: given,
  children,
}: GatehouseProviderProps): ReactElement {
  const [known, setKnown] = useState<Known>(() =>
    given === undefined ? { ...knownOf(null), status: 'loading' } : knownOf(given),
  )
  const auth = useMemo(() => {
    let client: AuthClient | undefined
    return (): AuthClient => {
      client ??= createAuthClient({
        ...(url === undefined ? {} : { url }),
        ...(accountBasePath === undefined ? {} : { accountBasePath }),
      })
      return client
    }
  }, [url, accountBasePath])
  const asked = useRef(0)
  const refresh = useCallback(async (): Promise<void> => {
    asked.current += 1
    const question = asked.current
    const answer = await auth()
      .session()
      .then(knownOf, (error: unknown): Known => ({ ...knownOf(null), status: 'failed', error }))
    // A later question knows better.
    if (question === asked.current) setKnown(answer)
  }, [auth])
  const signOut = useCallback(async (): Promise<void> => {
    await auth().signOut()
    await refresh()
  }, [auth, refresh])
  const isGiven = useRef(given !== undefined)
  useEffect(() => {
    if (!isGiven.current) void refresh()
    isGiven.current = false
    const look = (): void => {
      if (document.visibilityState === 'visible') void refresh()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [refresh])
  const value = useMemo(
    (): Gatehouse => ({
      ...known,
      auth,
      refresh,
      signOut,
      settingsUrl: `${pages}/settings.json`,
    }),
    [known, auth, refresh, signOut, pages],
  )
  return <GatehouseContext.Provider value={value}>{children}</GatehouseContext.Provider>
}

/** Who is signed in. @throws {Error} outside of a {@link GatehouseProvider}. */
export function useSession(): SessionState {
  const { status, session, error, refresh, signOut } = useGatehouse()
  return { status, session, error, refresh, signOut }
}

/** Shows its children to people who are signed in. What it hides is not a secret: the server must refuse it, too. */
export function SignedIn({ children }: { readonly children?: ReactNode }): ReactElement | null {
  return useGatehouse().status === 'signed-in' ? <>{children}</> : null
}

/** Shows its children to people who are not signed in. */
export function SignedOut({ children }: { readonly children?: ReactNode }): ReactElement | null {
  return useGatehouse().status === 'signed-out' ? <>{children}</> : null
}
