import { type AuthClient, createAuthClient, type Flow } from '@gatehouse/client'
import type { ComponentChildren, ComponentType, JSX } from 'preact'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { depthNow, keptNow } from './flow/kept.ts'
import { recoverByLink } from './flow/recover-by-link.ts'
import { type Step, StepContext } from './flow/step.ts'
import { mayPass, type RunningFlow, useFlow } from './flow/use-flow.ts'
import { FlowScreen } from './screens/screens.tsx'
import type { PageName, PageSettings } from './settings.ts'
import type { Texts } from './texts/en.ts'
import { problemOf } from './texts/failures.ts'
import { directionOf, isLanguage, languageNames } from './texts/languages.ts'
import { loadTexts, useWords, type Words, WordsContext, writer } from './texts/texts.ts'
import { Button, Heading } from './widgets/form.tsx'
import { Icon } from './widgets/icons.tsx'
import { useKeptFocus } from './widgets/kept-focus.ts'

/** Parameters of an address that all pages keep. */
const keptParameters = ['return_to', 'prompt', 'ui_locales', 'x_ref', 'client_id', 'state']

/** The way back outlives the visit to an identity provider in the tab that left. */
const afterKey = 'gatehouse.after'

export interface First {
  readonly language: string
  readonly texts: Texts
}

/** A page: its frame, its language and its flow. */
export function App({
  settings,
  first,
  Page,
}: {
  readonly settings: PageSettings
  readonly first: First
  readonly Page: ComponentType<PageProps>
}): JSX.Element {
  const [{ language, texts }, setLanguage] = useState(first)
  const words = useMemo(() => wordsOf(settings, { language, texts }), [language, texts, settings])
  useEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = directionOf(language)
  }, [language])
  const auth = useMemo(() => clientOf(settings), [settings])
  const choose = (name: string): void => {
    const url = new URL(location.href)
    url.searchParams.set('ui_locales', name)
    history.replaceState(history.state, '', url)
    void loadTexts(name).then(setLanguage)
  }
  return (
    <WordsContext.Provider value={words}>
      <Frame settings={settings} onLanguage={choose}>
        <Page settings={settings} auth={auth} />
      </Frame>
    </WordsContext.Provider>
  )
}

/** The texts of a page in a language, with those of the app. */
export function wordsOf(settings: PageSettings, { language, texts }: First): Words {
  const own = settings.texts[language] ?? {}
  return { t: writer({ texts, language }, own, { app: settings.name }), own, language }
}

/** A client of the service that a page belongs to. */
export function clientOf(settings: PageSettings): AuthClient {
  const root = new URL(settings.root, location.href)
  const account = settings.account === undefined ? {} : { accountBasePath: settings.account }
  return createAuthClient({ url: new URL(settings.api, root), ...account })
}

/** The address of a page, with the way back that this page has. */
export function pageUrlOf(settings: PageSettings): (page: PageName) => string {
  const given = new URLSearchParams(location.search)
  return (page) => {
    const url = new URL(`${settings.root}${settings.paths[page]}`, location.href)
    url.search = ''
    for (const name of keptParameters) {
      const value = given.get(name)
      if (value !== null && page !== 'account') url.searchParams.set(name, value)
    }
    return url.href
  }
}

function Frame({
  settings,
  onLanguage,
  children,
}: {
  readonly settings: PageSettings
  onLanguage(name: string): void
  readonly children: ComponentChildren
}): JSX.Element {
  const { t, language } = useWords()
  const card = useKeptFocus<HTMLElement>()
  const layout = settings.page === 'account' ? 'wide' : settings.layout
  return (
    <div class={`frame layout-${layout}`}>
      {layout === 'split' && (
        <aside class="panel" aria-hidden="true">
          <Brand settings={settings} />
        </aside>
      )}
      <div class="column">
        <main class="card" ref={card}>
          <div class="brand-row">
            <Brand settings={settings} />
          </div>
          <Connection />
          {children}
        </main>
        <footer class="footer">
          {settings.links.map(({ label, href }) => (
            <a key={href} href={href} rel="noreferrer">
              {label}
            </a>
          ))}
          {settings.languages.length > 1 && (
            <label class="language">
              <Icon name="globe" />
              <span class="hidden">{t('language')}</span>
              <select value={language} onChange={(event) => onLanguage(event.currentTarget.value)}>
                {settings.languages.filter(isLanguage).map((name) => (
                  <option key={name} value={name} lang={name}>
                    {languageNames[name]}
                  </option>
                ))}
              </select>
            </label>
          )}
        </footer>
      </div>
    </div>
  )
}

function Brand({ settings: { logo, name } }: { readonly settings: PageSettings }): JSX.Element {
  return logo === undefined ? (
    <span class="wordmark">
      <b aria-hidden="true">{[...name][0]?.toUpperCase()}</b>
      {name}
    </span>
  ) : (
    <img class="logo" src={logo} alt={name} />
  )
}

/** Says that the network is gone, and that it is back. */
function Connection(): JSX.Element {
  const { t } = useWords()
  const [isOffline, setOffline] = useState(!navigator.onLine)
  useEffect(() => {
    const look = (): void => setOffline(!navigator.onLine)
    addEventListener('offline', look)
    addEventListener('online', look)
    return () => {
      removeEventListener('offline', look)
      removeEventListener('online', look)
    }
  }, [])
  return (
    <div role="status" class={isOffline ? 'notice' : 'problem-empty'}>
      {isOffline ? t('offline.text') : ''}
    </div>
  )
}

/** Begins the flow of a page. */
function beginOf(settings: PageSettings, auth: AuthClient): (() => Promise<Flow>) | undefined {
  const { page } = settings
  if (page === 'callback' || page === 'account') return undefined
  const flow = settings.flows[page]
  const begin = async (): Promise<Flow> => {
    const query = location.search.slice(1)
    const mayPromote = page === 'signup' && settings.hasGuests && !isInvited()
    if (mayPromote && (await isGuest(auth))) {
      return auth.begin('promote', { query })
    }
    // An invitation is for a sign-up, also where the page begins with a flow that may become a login.
    const type = page === 'signup' && isInvited() ? 'signup' : (flow?.type ?? 'login')
    return auth.begin(type, { name: flow?.name ?? 'default', query })
  }
  return page === 'recovery' ? recoverByLink(() => auth, begin) : begin
}

/** Whether the page was opened by the link of an invitation, which begins a sign-up. */
const isInvited = (): boolean => new URLSearchParams(location.search).has('x_invitation')

async function isGuest(auth: AuthClient): Promise<boolean> {
  const account = await auth.account.get().catch(() => undefined)
  return account?.identities.some(({ type }) => type === 'anonymous') ?? false
}

/** An address of this server, which goes on in the language that people chose here. */
function inChosenLanguage(given: string): string {
  const chosen = new URLSearchParams(location.search).get('ui_locales')
  const url = new URL(given, location.href)
  if (chosen === null || url.origin !== location.origin) return given
  url.searchParams.set('ui_locales', chosen)
  return url.href
}

/** What a page is given. */
export interface PageProps {
  readonly settings: PageSettings
  readonly auth: AuthClient
  /** Is called, in place of leading on, once people have signed in or out: for a page within a page of an app. */
  onDone?: (() => void) | undefined
}

/** The page of a flow. */
export function FlowPage({ settings, auth, onDone }: PageProps): JSX.Element {
  const begin = useMemo(() => beginOf(settings, auth), [settings, auth])
  const finished = useCallback(
    (flow: Flow): boolean => {
      if (flow.prompt !== 'finished' || flow.type === 'account_recovery') return false
      const kept = sessionStorage.getItem(afterKey)
      sessionStorage.removeItem(afterKey)
      const after = settings.page === 'callback' ? (kept ?? settings.after) : settings.after
      const leave = onDone ?? (() => location.replace(after))
      const { finish_redirect_uri: given } = flow.action.data
      if (given === undefined) leave()
      else location.replace(inChosenLanguage(given))
      return true
    },
    [settings, onDone],
  )
  const running = useFlow(auth, begin, finished)
  const { shown } = running
  const [isForeign, setForeign] = useState(false)
  useEffect(() => {
    if (settings.page !== 'callback') {
      sessionStorage.setItem(afterKey, settings.after)
      return
    }
    const { token } = keptNow()
    if (token === undefined) {
      void running.comeBack(auth).then((isBack) => setForeign(!isBack))
      return
    }
    void running.resume(token)
    // Once: the answer of a provider can be used once.
  }, [])
  if (isForeign) return <Foreign settings={settings} />
  return (
    <StepView settings={settings} auth={auth} running={running}>
      {settings.page === 'signup' && shown.kind === 'flow' && isInvited() && <Invited />}
      {shown.kind === 'flow' && shown.after === 'restart' && <Restarted />}
    </StepView>
  )
}

function Invited(): JSX.Element {
  const { t } = useWords()
  return <p class="notice">{t('invited.text')}</p>
}

function Restarted(): JSX.Element {
  const { t } = useWords()
  return (
    <p role="status" class="notice">
      <b>{t('expired.title')}</b> {t('expired.text')}
    </p>
  )
}

function Foreign({ settings }: { readonly settings: PageSettings }): JSX.Element {
  const { t } = useWords()
  return (
    <>
      <Heading title={t('not-here.title')}>{t('not-here.text')}</Heading>
      <a class="button primary" data-first href={pageUrlOf(settings)('login')}>
        <span>{t('to.login')}</span>
      </a>
    </>
  )
}

/** Leads to the step before, as the browser does. */
function Back(): JSX.Element {
  const { t } = useWords()
  return (
    <button
      type="button"
      class="step-back"
      aria-label={t('back')}
      title={t('back')}
      onClick={() => history.back()}
    >
      <Icon name="back" />
    </button>
  )
}

/** The screen of a running flow. */
export function StepView({
  settings,
  auth,
  running,
  children,
}: {
  readonly settings: PageSettings
  readonly auth: AuthClient
  readonly running: RunningFlow
  readonly children?: ComponentChildren
}): JSX.Element {
  const words = useWords()
  const { t } = words
  const { shown, error, isBusy, login } = running
  const problem = useMemo(
    () => (error === undefined ? undefined : problemOf(error, words, Date.now())),
    [error, words],
  )
  const step: Step = {
    settings,
    auth,
    flow: shown.kind === 'flow' ? shown.flow : undefined,
    isResent: shown.kind === 'flow' && shown.after === 'resend',
    isBusy,
    problem,
    failure: error,
    login,
    remember: running.remember,
    submit: running.submit,
    fail: running.fail,
    restart: running.restart,
    pageUrl: pageUrlOf(settings),
  }
  return (
    <StepContext.Provider value={step}>
      {children}
      {shown.kind === 'loading' && (
        <p class="loading" role="status">
          <span class="spinner" aria-hidden="true" />
          <span class="hidden">{t('loading')}</span>
        </p>
      )}
      {shown.kind === 'failed' && (
        <>
          <Heading title={t('failed.title')}>
            {problemOf(shown.error, words, Date.now()).text}
          </Heading>
          {/* This page begins no flow. */}
          {settings.page === 'callback' && !mayPass(shown.error) ? (
            <a class="button primary" data-first href={step.pageUrl('login')}>
              <span>{t('to.login')}</span>
            </a>
          ) : (
            <Button data-first onClick={running.restart}>
              {t('try.again')}
            </Button>
          )}
          {settings.page === 'signup' && isInvited() && (
            <p class="center">
              <a href={step.pageUrl('login')}>{t('to.login')}</a>
            </p>
          )}
        </>
      )}
      {shown.kind === 'flow' && (
        <>
          {settings.page !== 'account' && depthNow() > 0 && <Back />}
          <div class="step" key={shown.flow.token}>
            <FlowScreen flow={shown.flow} />
          </div>
        </>
      )}
    </StepContext.Provider>
  )
}
