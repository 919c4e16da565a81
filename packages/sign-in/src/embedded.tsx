import type { ComponentType, JSX, TargetedMouseEvent } from 'preact'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { clientOf, type First, FlowPage, type PageProps, pageUrlOf, wordsOf } from './app.tsx'
import { keep } from './flow/kept.ts'
import type { PageName, PageSettings } from './settings.ts'
import { directionOf } from './texts/languages.ts'
import { loadTexts, useWords, WordsContext } from './texts/texts.ts'
import { Button } from './widgets/form.tsx'
import { useKeptFocus } from './widgets/kept-focus.ts'

/** A page that an app shows within one of its own. */
export interface EmbeddedProps {
  readonly page: Exclude<PageName, 'callback'>
  /** Where the server tells the settings of its pages: `…/sign-in/settings.json`. */
  readonly settingsUrl: string
  /** Where people go once they have signed in (default: `return_to` of the address; without it they stay). */
  readonly after?: string | undefined
  /** The language (default: as the browser wishes). */
  readonly language?: string | undefined
  /** People have signed in or out. `after` is where to go; `undefined` to stay. */
  onDone(after: string | undefined): void
}

interface Loaded {
  readonly settings: PageSettings
  readonly first: First
  readonly Page: ComponentType<PageProps>
}

/** Links between these pages stay within the page of the app. */
const inPlace = ['login', 'signup', 'recovery'] as const

/** Fails if the server has no such page, or does not answer. */
async function loadPage(
  { settingsUrl, after, language }: EmbeddedProps,
  page: PageName,
): Promise<Loaded> {
  const url = new URL(settingsUrl, location.href)
  const here = new URL(location.href).searchParams
  url.searchParams.set('page', page)
  url.searchParams.set(
    'return_to',
    new URL(after ?? here.get('return_to') ?? '', location.href).href,
  )
  for (const name of ['ui_locales', 'prompt']) {
    const value = (name === 'ui_locales' ? language : undefined) ?? here.get(name)
    if (value !== null) url.searchParams.set(name, value)
  }
  const answer = await fetch(url, { credentials: 'include' })
  if (!answer.ok) throw new Error(`the server has no settings of the page "${page}"`)
  const given = (await answer.json()) as PageSettings
  const root = new URL(given.root, url).href
  // People who must authenticate again come back to the page of the app.
  const isBelow = page === 'account' && location.href.startsWith(root)
  const settings: PageSettings = {
    ...given,
    root,
    paths: isBelow
      ? { ...given.paths, account: location.href.slice(root.length).replace(/[?#].*/, '') }
      : given.paths,
  }
  const [first, Page] = await Promise.all([
    loadTexts(settings.language),
    page === 'account'
      ? import('./account/account-page.tsx').then(({ AccountPage }) => AccountPage)
      : FlowPage,
  ])
  return { settings, first, Page }
}

/** A page within a page of an app: the screens without the frame. It leaves the document, its title and its styles alone. */
export function Embedded(props: EmbeddedProps): JSX.Element {
  const [page, setPage] = useState<PageName>(props.page)
  const [loaded, setLoaded] = useState<Loaded | 'failed' | undefined>(undefined)
  const [attempt, setAttempt] = useState(0)
  const { settingsUrl, after, language } = props
  useEffect(() => {
    let isCurrent = true
    const show = (next: Loaded | 'failed'): void => {
      if (isCurrent) setLoaded(next)
    }
    loadPage(props, page).then(show, () => show('failed'))
    return () => {
      isCurrent = false
    }
    // A function that is new each time does not load it again.
  }, [page, attempt, settingsUrl, after, language])
  if (loaded === 'failed') {
    return (
      <div class="embedded layout-card">
        <NotLoaded
          onRetry={() => {
            setLoaded(undefined)
            setAttempt(attempt + 1)
          }}
        />
      </div>
    )
  }
  if (loaded === undefined) return <Loading />
  const go = (name: PageName): void => {
    // A flow of its own begins there.
    keep({}, 'next')
    setLoaded(undefined)
    setPage(name)
  }
  return <EmbeddedPage {...props} {...loaded} onPage={go} />
}

function EmbeddedPage({
  settings,
  first,
  Page,
  after,
  onDone,
  onPage,
}: EmbeddedProps & Loaded & { onPage(name: PageName): void }): JSX.Element {
  const words = useMemo(() => wordsOf(settings, first), [settings, first])
  const auth = useMemo(() => clientOf(settings), [settings])
  const card = useKeptFocus<HTMLDivElement>()
  const done = useCallback((): void => {
    const isLed = after !== undefined || new URLSearchParams(location.search).has('return_to')
    keep({})
    onDone(isLed && settings.page !== 'account' ? settings.after : undefined)
  }, [settings, after, onDone])
  const follow = (event: TargetedMouseEvent<HTMLDivElement>): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const name = inPlace.find((other) => link?.href === pageUrlOf(settings)(other))
    if (name === undefined || settings.page === 'account') return
    event.preventDefault()
    onPage(name)
  }
  return (
    <WordsContext.Provider value={words}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it takes the clicks of the links within */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys press links, which are clicks */}
      <div
        class={`embedded layout-${settings.page === 'account' ? 'wide' : 'card'}`}
        lang={first.language}
        dir={directionOf(first.language)}
        onClick={follow}
      >
        <div class="card" ref={card}>
          <Page settings={settings} auth={auth} onDone={done} />
        </div>
      </div>
    </WordsContext.Provider>
  )
}

function Loading(): JSX.Element {
  const { t } = useWords()
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      <span class="hidden">{t('loading')}</span>
    </p>
  )
}

function NotLoaded({ onRetry }: { onRetry(): void }): JSX.Element {
  const { t } = useWords()
  return (
    <div class="card">
      <h1>{t('failed.title')}</h1>
      <Button onClick={onRetry}>{t('try.again')}</Button>
    </div>
  )
}
