import { type Account, type AccountChange, type AuthClient, type Flow, isClientError } from '@gatehouse/client'
import type { JSX } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { type PageProps, pageUrlOf, StepView } from '../app.tsx'
import { useFlow } from '../flow/use-flow.ts'
import type { PageSettings } from '../settings.ts'
import { problemOf } from '../texts/failures.ts'
import { useWords } from '../texts/texts.ts'
import { Button, Heading } from '../widgets/form.tsx'
import { Icon } from '../widgets/icons.tsx'
import { Logins } from './logins.tsx'
import { Profile } from './profile.tsx'
import { Security } from './security.tsx'
import { Sessions } from './sessions.tsx'

/** What the sections of the page can do. */
export interface AccountView {
  readonly account: Account
  readonly settings: PageSettings
  readonly isBusy: boolean
  /** Begins a flow that changes the account, in place of the page. */
  change(change: AccountChange): void
  /** Does something at once, and reads the account again. */
  act(action: (auth: AuthClient) => Promise<unknown>): void
}

/** The account of whoever is signed in. */
export function AccountPage({ settings, auth }: PageProps): JSX.Element {
  const words = useWords()
  const { t } = words
  const [account, setAccount] = useState<Account | undefined>(undefined)
  const [failure, setFailure] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const [isSaved, setSaved] = useState(false)

  /** Whoever has no session, or an old one, signs in and comes back. */
  const failed = useCallback(
    (error: unknown): void => {
      const isAgain = isClientError(error, 'ReauthenticationRequired')
      if (!isAgain && !isClientError(error, 'NotAuthenticated')) return setFailure(error)
      const url = new URL(pageUrlOf(settings)('login'))
      url.search = ''
      url.searchParams.set('return_to', pageUrlOf(settings)('account'))
      if (isAgain) url.searchParams.set('prompt', 'login')
      location.assign(url)
    },
    [settings],
  )
  const load = useCallback(
    () => auth.account.get().then(setAccount, failed),
    [auth, failed],
  )
  useEffect(() => {
    void load()
  }, [load])

  const finished = useCallback((): boolean => {
    setChanging(false)
    setSaved(true)
    history.replaceState({}, '')
    void load()
    return true
  }, [load])
  const running = useFlow(auth, undefined, finished)

  const view = account && {
    account,
    settings,
    isBusy,
    change(change: AccountChange) {
      setFailure(undefined)
      setSaved(false)
      auth.account.change(change).then((flow: Flow) => {
        setChanging(true)
        running.show(flow)
      }, failed)
    },
    act(action: (auth: AuthClient) => Promise<unknown>) {
      setBusy(true)
      setFailure(undefined)
      setSaved(false)
      action(auth)
        .then(async () => {
          await load()
          setSaved(true)
        }, failed)
        .finally(() => setBusy(false))
    },
  }
  if (isChanging) {
    return (
      <div class="change">
        <Button
          look="quiet"
          icon="back"
          onClick={() => {
            setChanging(false)
            history.replaceState({}, '')
          }}
        >
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
        <Button
          look="plain"
          onClick={() => {
            auth.signOut().then(() => location.assign(pageUrlOf(settings)('login')), failed)
          }}
        >
          {t('account.signout')}
        </Button>
      </div>
      <div role="alert" class={failure === undefined ? 'problem-empty' : 'problem'}>
        {failure !== undefined && (
          <>
            <Icon name="alert" />
            <span>{problemOf(failure, words, Date.now()).text}</span>
          </>
        )}
      </div>
      <div role="status" class={isSaved ? 'saved' : 'problem-empty'}>
        {isSaved && (
          <>
            <Icon name="check" />
            <span>{t('account.saved')}</span>
          </>
        )}
      </div>
      {view === undefined ? (
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
        </div>
      )}
    </>
  )
}
