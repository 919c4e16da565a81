import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AuthContext, Route } from '@gatehouse/core'
import {
  type Answer,
  createPageFiles,
  emptyAnswer,
  fileAnswer,
  type PageFile,
  parseUrl,
  type RouteRequest,
} from '@gatehouse/core/adapter'
import {
  type AccountRoutesOptions,
  accountRoutes,
  explainFlow,
  returnAddress,
} from '@gatehouse/core/auth'
import type { KindForm, PageFlow, PageName, PageSettings } from '../settings.ts'
import type { Texts } from '../texts/en.ts'
import { chooseLanguage, directionOf, type Language, languageNames } from '../texts/languages.ts'
import { noScript } from '../texts/no-script.ts'
import { escapeAttribute, iconPolicy, letterIcon } from './markup.ts'
import { type Theme, themeStyles } from './theme.ts'

/** Options of {@link signInRoutes}. */
export interface SignInOptions {
  /** The path of the pages, such as `/auth` (default: `http.base_path` of the configuration). */
  readonly basePath?: string | undefined
  /** The paths of pages below `basePath` (default `/login`, `/signup`, `/recovery`, `/account`). */
  readonly paths?: Partial<Record<Exclude<PageName, 'callback'>, string>> | undefined
  /** The name of your app, as people know it (default: the host). */
  readonly name?: string | undefined
  /** The look (default: neutral, light and dark). */
  readonly theme?: Theme | undefined
  /** Links below the form, as to terms and privacy. */
  readonly links?: readonly { readonly label: string; readonly href: string }[] | undefined
  /** Texts of your own, by language and key; those left out have the built-in ones. */
  readonly texts?:
    | Partial<Record<Language, Partial<Texts> & Readonly<Record<string, string>>>>
    | undefined
  /** The languages to offer; the first one is for people who read none of them (default: all). */
  readonly languages?: readonly Language[] | undefined
  /** Where people go who have signed in and came from nowhere: a path, or an address of an allowed origin (default: the account). */
  readonly after?: string | undefined
  /** The flows of the pages, where you have declared your own (default: those named `default`). */
  readonly flows?: Partial<Record<'login' | 'signup' | 'recovery', PageFlow>> | undefined
  /** How identifications and authenticators of your own are shown, by their names. */
  readonly kinds?: Readonly<Record<string, KindForm>> | undefined
  /** Whether mails and the pages of their links have the name and the look of these pages (default true). */
  readonly brandsMessages?: boolean | undefined
  /** Options of the account API, which comes with the pages; `false` if you mount it, or want no account page. */
  readonly account?: AccountRoutesOptions | false | undefined
}

const defaultPaths: Readonly<Record<PageName, string>> = {
  login: '/login',
  signup: '/signup',
  recovery: '/recovery',
  account: '/account',
  callback: '/sign-in/callback',
}

const defaultFlows = {
  login: { type: 'login', name: 'default' },
  signup: { type: 'signup', name: 'default' },
  recovery: { type: 'account_recovery', name: 'default' },
} as const satisfies Partial<Record<PageName, PageFlow>>

/** Where widgets of bot protection come from. */
const widgetOrigins: Readonly<Record<string, readonly string[]>> = {
  cloudflare: ['https://challenges.cloudflare.com'],
  recaptchav2: ['https://www.google.com', 'https://www.gstatic.com'],
}

/** Files whose names contain a hash of their content never change. */
const immutable = 'public, max-age=31536000, immutable'

/** The page is beside this module once it is built, and beside the built module while it is tested. */
const builtPage = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/sign-in/' : './sign-in/',
  import.meta.url,
)

/**
 * The pages to sign in, sign up, recover an account and manage one, and the API of the account page. Mount them beside the routes
 * of the service.
 *
 * @throws {TypeError} if a path or a value of the theme cannot be used.
 * @example
 * const pages = signInRoutes(auth, { name: 'Harbor Light' })
 * const routes = [...auth.routes, ...pages]
 */
export function signInRoutes(auth: AuthContext, options: SignInOptions = {}): readonly Route[] {
  const { basePath = auth.config.current.http.base_path, theme = {}, account = {} } = options
  const paths = { ...defaultPaths, ...options.paths }
  for (const path of [...Object.values(paths), ...(basePath === '' ? [] : [basePath])]) {
    if (!/^(?:\/[\w.~-]+)+$/.test(path))
      throw new TypeError(`"${path}" is not a path such as /login`)
  }
  const files = createPageFiles({
    list: () => readdir(fileURLToPath(builtPage), { recursive: true }),
    read: async (name) => new Uint8Array(await readFile(new URL(name, builtPage))),
  })
  const sheet = themeStyles(theme)
  const name = nameOf(auth, options)
  const made = new Map([
    ['theme.css', fileOf(sheet)],
    ['icon.svg', fileOf(letterIcon(name, sheet))],
  ])
  const icon = theme.icon ?? `${basePath}/sign-in/icon.svg`
  if (options.brandsMessages !== false) brandMessages(auth, options, { styles: sheet, icon })
  const world: World = { auth, options, basePath, paths, files }
  const serve = (name: string, cache: string) => async (request: RouteRequest) => {
    const accepted = request.headers.get('accept-encoding') ?? ''
    const file = made.get(name) ?? (await files.read(name, accepted))
    const policy = name === 'icon.svg' ? { 'content-security-policy': iconPolicy } : {}
    const headers = { ...common(), ...policy, 'cache-control': cache }
    return fileAnswer(request, file, { name, headers })
  }
  const pages: readonly PageName[] =
    account === false
      ? ['login', 'signup', 'recovery', 'callback']
      : ['login', 'signup', 'recovery', 'account', 'callback']
  return [
    ...pages.flatMap((page) =>
      reading(basePath + paths[page], (request) => answerPage(world, page, request)),
    ),
    ...[...made.keys()].flatMap((name) =>
      reading(`${basePath}/sign-in/${name}`, serve(name, 'no-cache')),
    ),
    ...reading(`${basePath}/sign-in/settings.json`, (request) =>
      answerSettings(world, pages, request),
    ),
    ...reading(`${basePath}/sign-in/assets/:name`, (request, { params }) =>
      serve(`assets/${params.name}`, immutable)(request),
    ),
    // Managers of passwords lead people there. @see https://www.w3.org/TR/change-password-url/
    ...reading('/.well-known/change-password', async () =>
      emptyAnswer(302, {
        location: `${basePath}${account === false ? paths.recovery : `${paths.account}#password`}`,
      }),
    ),
    ...(account === false ? [] : accountRoutes(auth, account)),
  ]
}

/** Mails, and the pages of their links, look like these pages. What the app has said of its brand comes first. */
function brandMessages(
  { brand }: Pick<AuthContext, 'brand'>,
  { name, theme: { logo, accent, onAccent } = {} }: SignInOptions,
  { styles, icon }: { readonly styles: string; readonly icon: string },
): void {
  const own = brand.current
  brand.current = {
    name: own.name ?? name,
    logo: own.logo ?? logo,
    icon: own.icon ?? icon,
    accent: own.accent ?? accent,
    onAccent: own.onAccent ?? onAccent,
    styles: own.styles ?? styles,
  }
}

const fileOf = (text: string): PageFile => ({ bytes: new Uint8Array(Buffer.from(text)) })

/** The name of the app: the given one, or its host. */
const nameOf = ({ config }: Pick<AuthContext, 'config'>, { name }: SignInOptions): string =>
  name ?? new URL(config.current.http.public_origin).host

interface World {
  readonly auth: AuthContext
  readonly options: SignInOptions
  readonly basePath: string
  readonly paths: Readonly<Record<PageName, string>>
  readonly files: ReturnType<typeof createPageFiles>
}

const reading = (path: string, answer: Route['answer']): readonly Route[] =>
  ['GET', 'HEAD'].map((method) => ({ method, path, action: 'public', answer }))

function common(scripts = '', images = ''): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self'${scripts}`,
      "style-src 'self'",
      `img-src 'self' data: blob:${images}`,
      "connect-src 'self'",
      `frame-src${scripts === '' ? " 'none'" : scripts}`,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // Links lead here with addresses and codes in their query.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

/** The settings of the page that is in the query, for components that show it within a page of an app. */
async function answerSettings(
  world: World,
  pages: readonly PageName[],
  request: RouteRequest,
): Promise<Answer> {
  const query = new URL(request.url, 'http://localhost').searchParams
  const page = pages.find((name) => name === query.get('page'))
  const headers = { ...common(), 'cache-control': 'private, no-cache', vary: 'Accept-Language' }
  if (page === undefined) return emptyAnswer(404, headers)
  const place = `${world.basePath}/sign-in/settings.json`
  const settings = settingsOf(world, page, request, query, place)
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(settings)))
  return fileAnswer(request, { bytes }, { name: 'settings.json', headers })
}

async function answerPage(
  { auth, options, basePath, paths, files }: World,
  page: PageName,
  request: RouteRequest,
): Promise<Answer> {
  const elsewhere = addressByName(auth, request)
  if (elsewhere !== undefined) return emptyAnswer(302, { ...common(), location: elsewhere })
  const file = await files.read('index.html', '')
  if (file === undefined) return emptyAnswer(404, common())
  const query = new URL(request.url, 'http://localhost').searchParams
  const { icon } = options.theme ?? {}
  const world = { auth, options, basePath, paths, files }
  const settings = settingsOf(world, page, request, query, basePath + paths[page])
  const root = `${settings.root}${basePath.slice(1)}${basePath === '' ? '' : '/'}sign-in/`
  const html = Buffer.from(file.bytes)
    .toString()
    .replace(
      'lang="en" dir="ltr"',
      `lang="${settings.language}" dir="${directionOf(settings.language)}"`,
    )
    .replace('"./icon.svg"', (own) => (icon === undefined ? own : `"${escapeAttribute(icon)}"`))
    .replaceAll('"./', `"${root}`)
    .replace('content="{}"', () => `content="${escapeAttribute(JSON.stringify(settings))}"`)
    .replace('no-script</p>', () => `${noScript[settings.language as Language]}</p>`)
  const { botProtection, logo } = settings
  const scripts = (widgetOrigins[botProtection?.type ?? ''] ?? []).map((origin) => ` ${origin}`)
  const images = [logo, icon].map((address = '') =>
    /^https:/i.test(address) ? ` ${parseUrl(address)?.origin ?? ''}` : '',
  )
  return fileAnswer(
    request,
    { bytes: new Uint8Array(Buffer.from(html)) },
    {
      name: 'index.html',
      headers: {
        ...common(scripts.join(''), images.join('')),
        // Its text depends on who asks, and its address may lead somewhere.
        'cache-control': 'private, no-cache',
        vary: 'Accept-Encoding, Accept-Language',
      },
    },
  )
}

/**
 * The address of a page at the name `localhost` of `public_origin`, for a request to the number of this machine: people would be
 * led back to the name, where the cookie of the number is not sent. `undefined` if the page is where it belongs.
 */
function addressByName(
  { config }: Pick<AuthContext, 'config'>,
  { url, headers }: RouteRequest,
): string | undefined {
  const own = parseUrl(config.current.http.public_origin)
  const asked = parseUrl(`${own?.protocol}//${headers.get('host') ?? ''}`)
  const isNumber = /^(?:127\.0\.0\.1|\[::1\])$/.test(asked?.hostname ?? '')
  if (own?.hostname !== 'localhost' || !isNumber || asked?.port !== own.port) return undefined
  // The host that a proxy names need not be the one that the browser has asked.
  if (headers.has('forwarded') || headers.has('x-forwarded-for')) return undefined
  const { pathname, search } = new URL(url, own)
  return `${own.origin}${pathname}${search}`
}

function settingsOf(
  { auth, options, basePath, paths }: World,
  page: PageName,
  request: RouteRequest,
  query: URLSearchParams,
  /** The path at which it is answered. */
  place: string,
): PageSettings {
  const {
    authentication,
    http,
    bot_protection: bots,
    ui,
    user_profile: profile,
  } = auth.config.current
  const { theme = {}, kinds = {}, links = [], account = {}, texts = {} } = options
  const known = Object.keys(languageNames) as Language[]
  const language = chooseLanguage(
    query.get('ui_locales') ?? '',
    request.headers.get('accept-language') ?? '',
    options.languages ?? known,
  )
  const at = (name: PageName): string => (basePath + paths[name]).slice(1)
  const back = query.get('return_to')
  const home = returnAddress(
    auth,
    options.after ?? `/${at(account === false ? 'login' : 'account')}`,
  )
  const { provider } = bots
  const accessOf: Readonly<Record<string, string>> =
    account === false ? {} : (account.customAttributes ?? {})
  return {
    page,
    root: '../'.repeat(place.split('/').length - 2) || './',
    paths: {
      login: at('login'),
      signup: at('signup'),
      recovery: at('recovery'),
      account: at('account'),
      callback: at('callback'),
    },
    api: http.base_path.slice(1),
    account: account === false ? undefined : (account.basePath ?? '/api/v1/account'),
    language,
    languages: options.languages ?? known,
    texts,
    name: nameOf(auth, options),
    logo: theme.logo,
    layout: theme.layout ?? 'card',
    links,
    flows: flowsOf(auth, options),
    after: (back === null ? undefined : returnAddress(auth, back)) ?? home ?? '/',
    hasGuests: account !== false && authentication.identities.includes('anonymous'),
    again: query.get('prompt') === 'login',
    botProtection:
      provider?.site_key === undefined
        ? undefined
        : { type: provider.type, siteKey: provider.site_key },
    countries: ui.phone_input.allowlist,
    kinds,
    attributes: profile.custom_attributes.attributes.flatMap(({ id: _id, pointer, ...shape }) =>
      Object.hasOwn(accessOf, pointer)
        ? [{ ...shape, pointer, isReadOnly: accessOf[pointer] === 'readonly' }]
        : [],
    ),
  }
}

/** The flows that there are: a page links to no flow that would be refused. */
function flowsOf(auth: AuthContext, { flows = {} }: SignInOptions): PageSettings['flows'] {
  const config = auth.config.current
  const all = { ...defaultFlows, ...flows }
  const isOpen = !config.authentication.public_signup_disabled
  return Object.fromEntries(
    Object.entries(all).filter(
      ([name, flow]) =>
        (name !== 'signup' || isOpen) && explainFlow(config, flow.type, flow.name) !== undefined,
    ),
  )
}
