import { Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { followServer, useConnection } from '../data/live.ts'
import { isSignedOut, useMe } from '../data/me.ts'
import { services } from '../data/services.ts'
import { type ConsolePage, pages } from '../pages/pages.ts'
import { hashOf, isOneOf, usePlace } from '../route/route.ts'
import { type Language, useTexts } from '../texts/texts.ts'
import { Icon } from '../widgets/icon.tsx'
import { PageHead } from '../widgets/page-head.tsx'
import { SignInCard } from '../widgets/sign-in-card.tsx'
import { Failure, Loading } from '../widgets/states.tsx'
import { useHeldFocus } from '../widgets/use-held-focus.ts'
import { AccountMenu } from './account-menu.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { NewVersion } from './new-version.tsx'
import { NoticeBar } from './notice-bar.tsx'
import { Preferences } from './preferences.tsx'
import classes from './shell.module.css'

const shown = pages.filter(
  ({ service }) => service === undefined || services[service] !== undefined,
)

/** A page of webhooks may ask for their token, and that of the sign-in for a password. */
const needsSubject = (page: ConsolePage | undefined): boolean =>
  page?.service === 'alerts' || page?.service === 'auth'

/** When the first page has settled, the files of the others are loaded: they open also while the server is away. */
const prepareAfterMs = 5_000

/** The bar with the pages' names, and the page of the address. */
export function Shell({ onLanguage }: { onLanguage: (language: Language) => void }): ReactNode {
  const texts = useTexts()
  const { segments } = usePlace()
  const [first, ...below] = segments
  const nearest = shown.find(({ path }) => path === first)
  const isThere = below.length === 0 || isOneOf(below, nearest?.places ?? [])
  const page = first === undefined ? shown[0] : isThere ? nearest : undefined
  const { data: me, error } = useMe()
  const isOut = isSignedOut(me, error)
  const needsSignIn = isOut && needsSubject(page)
  const queries = useQueryClient()
  // Without a sign-in there is nothing to follow.
  useEffect(() => (isOut ? undefined : followServer(queries)), [queries, isOut])
  useHeldFocus()
  const named = shown.filter(
    ({ action, isHidden }) =>
      !isHidden &&
      (action === undefined || (me?.actions.includes(action) ?? services.alerts === undefined)),
  )
  const main = useRef<HTMLElement>(null)
  const nav = useRef<HTMLElement>(null)
  const title = page?.title(texts)
  useEffect(() => {
    document.title = title === undefined ? 'Gatehouse' : `${title} · Gatehouse`
  }, [title])
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const { prepare } of shown) prepare()
    }, prepareAfterMs)
    return () => clearTimeout(timer)
  }, [])
  const isNamed = page !== undefined && named.includes(page)
  // On a phone the bar has not enough room for all names.
  useEffect(() => {
    const current = isNamed ? nav.current?.querySelector(`[href="${hashOf([page.path])}"]`) : null
    current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [isNamed, page])
  return (
    <div className={classes.shell}>
      <button type="button" className={classes.skip} onClick={() => main.current?.focus()}>
        {texts.shell.skip}
      </button>
      <header className={classes.bar}>
        <a className={classes.brand} href="#/" aria-label="Gatehouse">
          <Icon name="gate" />
          <span>Gatehouse</span>
        </a>
        <nav ref={nav} className={classes.pages} aria-label={texts.shell.pages}>
          {named.map(({ path, title }) => (
            <a
              key={path}
              href={hashOf([path])}
              aria-current={path === page?.path ? 'page' : undefined}
            >
              {title(texts)}
            </a>
          ))}
        </nav>
        {!needsSignIn && (
          <>
            <NewVersion />
            <Connection />
            <AccountMenu />
          </>
        )}
        <Preferences onLanguage={onLanguage} />
      </header>
      <main ref={main} id="main" tabIndex={-1} className={classes.main} data-wide={page?.isWide}>
        <ErrorBoundary key={page?.path}>
          <Suspense fallback={<LoadingPage />}>
            {page === undefined ? (
              <NoPage nearest={nearest ?? shown[0]} />
            ) : needsSignIn ? (
              <SignInCard title={page.title(texts)} />
            ) : (
              <page.Content />
            )}
          </Suspense>
        </ErrorBoundary>
        <NoticeBar />
      </main>
    </div>
  )
}

/** At an address without a page. */
function NoPage({ nearest }: { nearest: ConsolePage | undefined }): ReactNode {
  const texts = useTexts()
  const { segments } = usePlace()
  return (
    <>
      <PageHead title={texts.shell.noPage(`/${segments.join('/')}`)} />
      {nearest !== undefined && (
        <p>
          <a href={hashOf([nearest.path])}>{texts.shell.goTo(nearest.title(texts))}</a>
        </p>
      )}
    </>
  )
}

/** While the files of a page are on their way. */
function LoadingPage(): ReactNode {
  const { states } = useTexts()
  const isLost = useConnection() === 'lost'
  return isLost ? <Failure title={states.offline} detail={states.triesAgain} /> : <Loading />
}

/** Whether the page shows changes as they happen. */
function Connection(): ReactNode {
  const { shell } = useTexts()
  const state = useConnection()
  if (state === undefined) return null
  return (
    <Tooltip label={shell.connectionDetails[state]}>
      <span className={classes.connection} data-state={state} role="status">
        {shell.connections[state]}
      </span>
    </Tooltip>
  )
}
