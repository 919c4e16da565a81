import { type AuthContext, isGatehouseError, type Route } from '@gatehouse/core'
import { createRequestFrame, type FramedAnswer, type FramedRow } from '@gatehouse/core/auth'
import type { OidcPlace } from '../config/settings.ts'
import { endpointPaths, interactionPath } from '../endpoint-paths.ts'
import { answerPage } from '../exchange/answer-page.ts'
import { createExchange, dispatch, type Exchange } from '../exchange/dispatch.ts'
import { keepingLanguage } from '../exchange/kept-language.ts'
import type { ProviderSource } from '../exchange/provider-source.ts'
import { countRequest, type LimitName } from '../limits.ts'
import { failurePage } from '../pages/failure-page.ts'
import { answerRegistration } from './answer-registration.ts'
import { oauthFailure } from './oauth-failure.ts'

/** A path, and how its methods are answered. */
interface PathRow {
  readonly path: string
  /** Whether people see its answers. */
  readonly isPage?: boolean
  readonly methods: readonly ('GET' | 'POST' | 'OPTIONS')[]
  /** The limit that a POST counts against. */
  readonly limit?: LimitName
  /** How long others may keep the answer to a GET, in seconds. */
  readonly maxAge?: number
  /** Where the library has it (default: at the same path). */
  readonly inner?: string
  answer?(source: ProviderSource, auth: AuthContext, exchange: Exchange): Promise<FramedAnswer>
}

/** How long others may keep the description and the keys. Keys are published for longer before they sign. */
const publicSeconds = 300

function rowsOf({ issuer, basePath }: OidcPlace): readonly PathRow[] {
  const at = (name: keyof typeof endpointPaths, below = ''): string =>
    `${basePath}${endpointPaths[name]}${below}`
  const page = (path: string, ...methods: PathRow['methods']): PathRow => ({
    path,
    isPage: true,
    methods,
  })
  const forApps = (path: string, limit?: LimitName): PathRow => ({
    path,
    methods: ['POST', 'OPTIONS'],
    ...(limit === undefined ? {} : { limit }),
  })
  const { pathname } = new URL(issuer)
  const tenant = pathname === '/' ? '' : pathname
  const described = { methods: ['GET', 'OPTIONS'], maxAge: publicSeconds } as const
  const openid = '/.well-known/openid-configuration'
  const oauth = '/.well-known/oauth-authorization-server'
  return [
    { ...described, path: `${tenant}${openid}`, inner: openid },
    // @see RFC 8414, section 3.1
    { ...described, path: `${oauth}${tenant}`, inner: oauth },
    { ...described, path: at('jwks') },
    page(at('authorization'), 'GET'),
    page(at('authorization', '/:uid'), 'GET'),
    page(at('end_session'), 'GET'),
    page(at('end_session', '/confirm'), 'POST'),
    page(at('end_session', '/success'), 'GET'),
    {
      ...page(at('code_verification'), 'GET', 'POST'),
      limit: 'device',
      answer: answerDevice,
    },
    page(at('code_verification', '/:uid'), 'GET'),
    {
      ...page(`${basePath}${interactionPath}/:uid`, 'GET', 'POST'),
      async answer(source, auth, exchange) {
        const { answerInteraction } = await import('../interactions/answer-interaction.ts')
        const loaded = await source.load()
        return answerInteraction({ auth, settings: source.settings, loaded, exchange })
      },
    },
    { path: at('userinfo'), methods: ['GET', 'POST', 'OPTIONS'] },
    forApps(at('token'), 'token'),
    forApps(at('pushed_authorization_request'), 'par'),
    forApps(at('device_authorization'), 'device_authorization'),
    forApps(at('introspection')),
    forApps(at('revocation')),
    {
      path: at('registration'),
      methods: ['POST'],
      limit: 'register',
      answer: async ({ settings, load }, _auth, exchange) => {
        const path = at('registration')
        return settings.registration === 'off'
          ? dispatch(await load(), exchange, { path })
          : answerRegistration(await load(), exchange)
      },
    },
  ]
}

/** A code in a link is shown, and not sent at once: the person compares it to that of the device. @see RFC 8628, section 3.3.1 */
async function answerDevice(
  source: ProviderSource,
  _auth: AuthContext,
  exchange: Exchange,
): Promise<FramedAnswer> {
  const { path, query } = exchange.info
  if (exchange.request.method === 'POST') return dispatch(await source.load(), exchange, { path })
  const parameters = new URLSearchParams(query)
  const userCode = parameters.get('user_code') ?? undefined
  parameters.delete('user_code')
  const opened = { ...exchange, userCode }
  return dispatch(await source.load(), opened, { path, query: String(parameters) })
}

/** The routes of the authorization server. */
export function oidcRoutes(auth: AuthContext, source: ProviderSource): readonly Route[] {
  const frame = createRequestFrame(auth, '')
  return rowsOf(source.settings)
    .flatMap((row) => framedRows(auth, source, row))
    .map(frame)
}

function framedRows(auth: AuthContext, source: ProviderSource, row: PathRow): readonly FramedRow[] {
  const { path, isPage = false, methods } = row
  const framed = (method: string, answer: FramedRow['answer']): FramedRow => ({
    method,
    path,
    kind: isPage ? 'page' : 'own',
    action: 'public',
    answer,
  })
  const answer: FramedRow['answer'] = ({ request, info }) =>
    answerRow(auth, source, row, createExchange(auth, request, info))
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [
    ...allowed.map((method) => framed(method, answer)),
    framed('*', async () =>
      oauthFailure(405, 'invalid_request', 'the method is not allowed', {
        allow: allowed.join(', '),
      }),
    ),
  ]
}

async function answerRow(
  auth: AuthContext,
  source: ProviderSource,
  { path, inner, isPage = false, limit, maxAge, answer }: PathRow,
  exchange: Exchange,
): Promise<FramedAnswer> {
  const { request, info } = exchange
  try {
    if (limit !== undefined && request.method === 'POST') {
      await countRequest(auth, limit, info.peer?.address)
    }
  } catch (error) {
    if (!isGatehouseError(error) || error.reason !== 'RateLimited') throw error
    const seconds = String(error.info.retryAfterSeconds ?? 1)
    const after = { 'retry-after': seconds }
    if (!isPage) return oauthFailure(429, 'slow_down', 'too many requests', after)
    const page = answerPage(auth, exchange, (language) =>
      failurePage({ status: 429, kind: 'many' }, language),
    )
    return { ...page, headers: { ...page.headers, ...after } }
  }
  const given = await (answer === undefined
    ? dispatch(await source.load(), exchange, {
        path: path.includes(':') ? info.path : (inner ?? path),
      })
    : answer(source, auth, exchange))
  const answered = isPage ? keepingLanguage(given, source.settings, info.query) : given
  const isKept = maxAge !== undefined && answered.status === 200
  const cached = isKept ? { 'cache-control': `public, max-age=${maxAge}` } : {}
  return { ...answered, headers: { ...answered.headers, ...cached } }
}
