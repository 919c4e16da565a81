import {
  type Account,
  type AccountChange,
  type AuthClient,
  type Flow,
  isClientError,
} from '@gatehouse/client'
import type { JSX } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type PageProps, pageUrlOf, StepView } from '../app.tsx'
import { keep, keptNow } from '../flow/kept.ts'
import { type RunningFlow, useFlow } from '../flow/use-flow.ts'
import type { PageSettings } from '../settings.ts'
import { problemOf } from '../texts/failures.ts'
import { useWords } from '../texts/texts.ts'
import { Button, Heading } from '../widgets/form.tsx'
import { Icon } from '../widgets/icons.tsx'
import type { AccountView } from './account-view.ts'
import { Activity } from './activity.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Apps } from './apps.tsx'
import { DeleteAccount, Deleted, OwnData } from './leave.tsx'
import { Logins } from './logins.tsx'
import { Profile } from './profile.tsx'
import { Security } from './security.tsx'
import { Sessions } from './sessions.tsx'

/** What the page knows of the account, and what went wrong or well last. */
interface AccountState {
  readonly view: AccountView | undefined
  readonly failure: unknown
  readonly isSaved: boolean
  /** When the account will be deleted, once that was asked for. */
  readonly deletedAt: string | undefined
  /** The flow that changes the account, in place of the page; `undefined` if there is none. */
  readonly running: RunningFlow | undefined
  /** Reads the account, which could not be read. */
  retry(): void
  signOut(): void
  leaveFlow(): void
}

function useAccount({ settings, auth, onDone }: PageProps): AccountState {
  const [account, setAccount] = useState<Account | undefined>(undefined)
  const [failure, setFailure] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [deletedAt, setDeletedAt] = useState<string | undefined>(undefined)
  /** People without a session, or with an old one, sign in and come back. */
  const failed = useCallback(
    (error: unknown): void => {
      const url = signInUrl(settings, error)
      if (url === undefined) setFailure(error)
      else location.assign(url)
    },
    [settings],
  )
  const load = useCallback(() => auth.account.get().then(setAccount, failed), [auth, failed])
  useEffect(() => {
    void load()
  }, [load])
  const leaveFlow = useCallback((): void => {
    setChanging(false)
    keep({})
  }, [])
  const finished = useCallback((): boolean => {
    leaveFlow()
    setSaved(true)
    void load()
    return true
  }, [load, leaveFlow])
  const running = useFlow(auth, undefined, finished)
  useChange({ auth, running, isChanging, setChanging, leaveFlow, failed, load })
  const begin = (): void => {
    setFailure(undefined)
    setSaved(false)
  }
  const view = account && {
    account,
    settings,
    auth,
    isBusy,
    fail: failed,
    deleted: setDeletedAt,
    change(change: AccountChange) {
      begin()
      auth.account.change(change).then((flow: Flow) => {
        setChanging(true)
        // Back leads to the account.
        running.show(flow, 'next')
      }, failed)
    },
    act(action: (auth: AuthClient) => Promise<unknown>) {
      begin()
      setBusy(true)
      return action(auth)
        .then(
          async () => {
            await load()
            setSaved(true)
            return true
          },
          (error: unknown) => {
            failed(error)
            return false
          },
        )
        .finally(() => setBusy(false))
    },
  }
  return {
    view,
    failure,
    isSaved,
    deletedAt,
    running: isChanging ? running : undefined,
    leaveFlow,
    retry() {
      begin()
      void load()
    },
    signOut: () => {
      const leave = onDone ?? (() => location.assign(pageUrlOf(settings)('login')))
      auth.signOut().then(leave, failed)
    },
  }
}

interface ChangeParts {
  readonly auth: AuthClient
  readonly running: RunningFlow
  readonly isChanging: boolean
  setChanging(is: boolean): void
  leaveFlow(): void
  failed(error: unknown): void
  load(): void
}

/** Keeps a change of the account in step with the history of the browser and with the session. */
function useChange({
  auth,
  running,
  isChanging,
  setChanging,
  leaveFlow,
  failed,
  load,
}: ChangeParts): void {
  const { shown, error, show } = running
  useEffect(() => {
    const goTo = (): void => {
      const { token } = keptNow()
      if (token === undefined) setChanging(false)
      if (token === undefined || isChanging) return
      // A change that is over, or a step of something else, is not worth a word.
      auth.resume(token).then(
        (flow) => {
          if (flow.type !== 'account') return
          setChanging(true)
          show(flow)
        },
        () => {},
      )
    }
    if (!isChanging) goTo()
    addEventListener('popstate', goTo)
    return () => removeEventListener('popstate', goTo)
    // `show` is new with each rendering, and does the same.
  }, [auth, isChanging, setChanging])
  const lost = shown.kind === 'failed' ? shown.error : undefined
  useEffect(() => {
    if (!isChanging) return
    if (lost !== undefined) {
      leaveFlow()
      failed(lost)
      // The session may have ended with it.
      load()
    } else if (isClientError(error, 'NotAuthenticated', 'ReauthenticationRequired')) failed(error)
  }, [isChanging, lost, error, leaveFlow, failed, load])
}

/** Where to sign in for what was refused; `undefined` if that would not help. */
function signInUrl(settings: PageSettings, error: unknown): URL | undefined {
  const isAgain = isClientError(error, 'ReauthenticationRequired')
  if (!isAgain && !isClientError(error, 'NotAuthenticated')) return undefined
  const url = new URL(pageUrlOf(settings)('login'))
  url.search = ''
  url.searchParams.set('return_to', pageUrlOf(settings)('account'))
  if (isAgain) url.searchParams.set('prompt', 'login')
  return url
}

/** Says that an operator acts as the user, who may see this page. Signing out ends it. */
function Acting({ view }: { readonly view: AccountView | undefined }): JSX.Element | null {
  const { t } = useWords()
  const current = view?.account.sessions.find(({ is_current: isCurrent }) => isCurrent)
  const name = current?.impersonated_by
  if (name === undefined) return null
  return (
    <p class="notice" role="status">
      {t('account.acting', { name })}
    </p>
  )
}

/** What was refused. It is brought into sight, since what was pressed may stand far below. */
function Refusal({ failure }: { readonly failure: unknown }): JSX.Element {
  const words = useWords()
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (failure !== undefined) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [failure])
  return (
    <div ref={alert} role="alert" class={failure === undefined ? 'problem-empty' : 'problem'}>
      {failure !== undefined && (
        <>
          <Icon name="alert" />
          <span>{problemOf(failure, words, Date.now()).text}</span>
        </>
      )}
    </div>
  )
}

/** The account of the person who is signed in. */
export function AccountPage(props: PageProps): JSX.Element {
  const { settings, auth } = props
  const { t } = useWords()
  const { view, failure, isSaved, deletedAt, running, retry, signOut, leaveFlow } =
    useAccount(props)
  if (deletedAt !== undefined) {
    return <Deleted at={deletedAt} loginUrl={pageUrlOf(settings)('login')} />
  }
  if (running !== undefined) {
    return (
      <div class="change">
        <Button look="quiet" icon="back" onClick={leaveFlow}>
          {t('account.title')}
        </Button>
        <StepView settings={settings} auth={auth} running={running} />
      </div>
    )
  }
  return (
    <>
      <div class="account-head">
        <Heading title={t('account.title')} />
        <Button look="plain" onClick={signOut}>
          {t('account.signout')}
        </Button>
      </div>
      <Acting view={view} />
      <Refusal failure={failure} />
      <div role="status" class={isSaved ? 'saved' : 'problem-empty'}>
        {isSaved && (
          <>
            <Icon name="check" />
            <span>{t('account.saved')}</span>
          </>
        )}
      </div>
      {view === undefined && failure !== undefined ? (
        <Button onClick={retry}>{t('try.again')}</Button>
      ) : view === undefined ? (
        <p class="loading" role="status">
          <span class="spinner" aria-hidden="true" />
          <span class="hidden">{t('loading')}</span>
        </p>
      ) : (
        <div class="sections">
          <Profile view={view} />
          <Logins view={view} />
          <Security view={view} />
          <Sessions view={view} />
          <Apps view={view} />
          <ApiKeys view={view} />
          <Activity view={view} />
          <OwnData view={view} />
          <DeleteAccount view={view} />
        </div>
      )}
    </>
  )
}
