import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Route } from '@gatehouse/core'
import { createPageFiles, emptyAnswer, fileAnswer, type PageFile } from '@gatehouse/core/adapter'

/** Services that the page shows: a service is shown if its member is given, whatever its value. */
export interface ConsoleServices {
  readonly alerts?: object | undefined
  readonly webhooks?: object | undefined
  readonly auth?: object | undefined
}

/** Options of {@link consoleRoutes}. */
export interface ConsoleOptions extends ConsoleServices {
  /** The path of the page, below the mount path: empty, or starts with `/` and does not end with it (default: empty). */
  readonly basePath?: string
  /** Where the routes of a service are mounted, relative to the page, such as `../hooks/` (default: `./`). */
  readonly paths?: { readonly [Service in keyof ConsoleServices]?: string }
  /** The label that says how bad an alert is, for the colours (default: `severity`). */
  readonly severityLabel?: string
  /**
   * Whether the server asks browsers for passwords (HTTP basic auth), so that the page offers to sign in with one (default: only
   * without `auth`, because it is then the only way to sign in).
   */
  readonly serverPasswords?: boolean
  /**
   * The URL of the sign-in page, relative to the console's own; `false` for none (default: the page of `signInRoutes` where `auth` is
   * mounted). The page must lead to the `return_to` of its query afterwards.
   */
  readonly signIn?: string | false
}

/** The page's styles, scripts and requests come from its own origin; no page may frame it. */
const securityPolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

type Answer = Awaited<ReturnType<Route['answer']>>
type RouteRequest = Parameters<Route['answer']>[0]

const common = {
  'content-security-policy': securityPolicy,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Files whose names contain a hash of their content never change. */
const immutable = 'public, max-age=31536000, immutable'

/** The console is in the folder `page` beside this module once it is built, and beside the built module while it is tested. */
const builtPage = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/page/' : './page/',
  import.meta.url,
)

/**
 * The routes of the console: one page and its files. Mount them where operators shall find it, at `/` or below a path; the page
 * finds its files and the services by relative URLs. The page only calls documented endpoints, with the rights of its reader.
 *
 * @example
 * const page = consoleRoutes({ alerts, webhooks })
 * const routes = [...alerts.routes, ...webhooks.routes, ...page]
 */
export function consoleRoutes(options: ConsoleOptions = {}): readonly Route[] {
  const files = createPageFiles({
    list: () => readdir(fileURLToPath(builtPage), { recursive: true }),
    read: async (name) => new Uint8Array(await readFile(new URL(name, builtPage))),
  })
  const { basePath = '', severityLabel = 'severity' } = options
  const { serverPasswords = options.auth === undefined } = options
  const services = JSON.stringify(servicesOf(options))
  let page: Promise<PageFile | undefined> | undefined
  const pageOf = async (): Promise<PageFile | undefined> => {
    const file = await files.read('index.html', '')
    if (file === undefined) return undefined
    const html = Buffer.from(file.bytes)
      .toString()
      .replace('content="{}"', () => `content="${escapeAttribute(services)}"`)
      .replace('content="severity"', () => `content="${escapeAttribute(severityLabel)}"`)
      .replace('content="unknown"', `content="${serverPasswords}"`)
      .replace('content=""', () => `content="${escapeAttribute(signInOf(options))}"`)
    return { bytes: new Uint8Array(Buffer.from(html)) }
  }
  const readPage = (): Promise<PageFile | undefined> => {
    page ??= pageOf()
    return page
  }
  const answerPage = async (request: RouteRequest): Promise<Answer> => {
    const url = new URL(request.url)
    // Relative URLs of the page need the slash.
    if (!url.pathname.endsWith('/')) {
      return emptyAnswer(308, {
        ...common,
        location: `${url.pathname.split('/').at(-1) ?? ''}/${url.search}`,
      })
    }
    return fileAnswer(request, await readPage(), {
      name: 'index.html',
      headers: { ...common, 'cache-control': 'no-cache' },
    })
  }
  const answerFile = async (
    request: RouteRequest,
    name: string,
    cache: string,
  ): Promise<Answer> => {
    const file = await files.read(name, request.headers.get('accept-encoding') ?? '')
    return fileAnswer(request, file, { name, headers: { ...common, 'cache-control': cache } })
  }
  const get = (path: string, answer: Route['answer']): readonly Route[] =>
    ['GET', 'HEAD'].map((method) => ({ method, path: basePath + path, action: 'public', answer }))
  return [
    ...get('/', answerPage),
    ...(basePath === '' ? [] : get('', answerPage)),
    ...get('/favicon.svg', (request) => answerFile(request, 'favicon.svg', 'max-age=86400')),
    ...get('/color-scheme.js', (request) => answerFile(request, 'color-scheme.js', 'no-cache')),
    ...get('/assets/:name', (request, { params }) =>
      answerFile(request, `assets/${params.name}`, immutable),
    ),
  ]
}

function servicesOf({
  paths = {},
  ...services
}: ConsoleServices & Pick<ConsoleOptions, 'paths'>): object {
  const given = (['alerts', 'webhooks', 'auth'] as const).filter(
    (name) => services[name] !== undefined,
  )
  return Object.fromEntries(given.map((name) => [name, paths[name] ?? './']))
}

/** Where the console signs in; empty for nowhere. */
function signInOf({ auth, paths = {}, signIn }: ConsoleOptions): string {
  if (signIn !== undefined) return signIn === false ? '' : signIn
  return auth === undefined ? '' : `${(paths.auth ?? './').replace(/\/?$/, '/')}login`
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
