import type { AuthContext } from '@gatehouse/core'
import { getUser, shownPlace } from '@gatehouse/core/auth'
import type { Configuration, ErrorOut, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { OidcSettings } from '../config/settings.ts'
import { answerPage, shownAccount, shownClient, type WritePage } from '../exchange/answer-page.ts'
import { exchangeOf } from '../exchange/dispatch.ts'
import {
  deviceCodePage,
  deviceConfirmPage,
  deviceDeniedPage,
  deviceDonePage,
} from '../pages/device-pages.ts'
import { failurePage } from '../pages/failure-page.ts'
import { logoutDonePage, logoutPage } from '../pages/logout-pages.ts'
import type { ShownClient } from '../pages/shown-client.ts'
import type { DeviceProblem } from '../pages/words/words.ts'

type Client = InstanceType<Provider['Client']>

/** Answers with a page in place of the library's. */
function show(auth: AuthContext, ctx: KoaContextWithOIDC, write: WritePage): void {
  const answer = answerPage(auth, exchangeOf(ctx.req), write, ctx.oidc.params?.ui_locales)
  ctx.status = answer.status
  for (const [name, value] of Object.entries(answer.headers)) ctx.set(name, [value].flat())
  ctx.body = answer.body
}

/** The page for a request that cannot go on. */
function showFailure(
  auth: AuthContext,
  ctx: KoaContextWithOIDC,
  { error, error_description: description }: ErrorOut,
  cause: Error,
): void {
  const isFault = error === 'server_error'
  const kind = isFault ? 'fault' : cause.name === 'SessionNotFound' ? 'expired' : 'request'
  const { faultId } = exchangeOf(ctx.req)
  const details = isFault ? [faultId] : [error, description]
  const known = details.filter((detail) => detail !== undefined && detail !== '') as string[]
  show(auth, ctx, (language) => failurePage({ status: ctx.status, kind, details: known }, language))
}

/** Why the library asks again for the code of a device. */
const deviceProblems: Readonly<Record<string, DeviceProblem>> = {
  NoCodeError: 'missing',
  NotFoundError: 'wrong',
  ExpiredError: 'expired',
  AlreadyUsedError: 'used',
}

const stateOf = (ctx: KoaContextWithOIDC): { readonly xsrf: string } => ({
  xsrf: String(ctx.oidc.session?.state?.secret ?? ''),
})

/** The pages of the library, in the look of the service. */
export function providerPages(
  auth: AuthContext,
  settings: OidcSettings,
): Pick<Configuration, 'renderError'> & {
  readonly deviceFlow: object
  readonly rpInitiatedLogout: object
} {
  const client = (one: Client): ShownClient => shownClient(settings, one)
  return {
    renderError: (ctx, out, error) => showFailure(auth, ctx, out, error),
    rpInitiatedLogout: {
      async logoutSource(ctx: KoaContextWithOIDC) {
        const { accountId } = ctx.oidc.session ?? {}
        const user = accountId === undefined ? undefined : await getUser(auth, accountId)
        const redirectUri = ctx.oidc.params?.post_logout_redirect_uri
        show(auth, ctx, (language) =>
          logoutPage(
            {
              client: ctx.oidc.client && client(ctx.oidc.client),
              account: user && shownAccount(user),
              redirectUri: typeof redirectUri === 'string' ? redirectUri : undefined,
              target: { action: `${settings.basePath}/logout/confirm`, values: stateOf(ctx) },
            },
            language,
          ),
        )
      },
      postLogoutSuccessSource(ctx: KoaContextWithOIDC) {
        show(auth, ctx, (language) => logoutDonePage(ctx.oidc.client === undefined, language))
      },
    },
    deviceFlow: devicePages(auth, settings, client),
  }
}

function devicePages(
  auth: AuthContext,
  settings: OidcSettings,
  client: (one: Client) => ShownClient,
): object {
  const action = `${settings.basePath}/device`
  return {
    userCodeInputSource(ctx: KoaContextWithOIDC, _form: string, _out?: object, error?: Error) {
      if (error?.name === 'AbortedError') return show(auth, ctx, deviceDeniedPage)
      const problem = error === undefined ? undefined : (deviceProblems[error.name] ?? 'other')
      const typed = (error as { readonly userCode?: unknown } | undefined)?.userCode
      const userCode = typeof typed === 'string' ? typed : exchangeOf(ctx.req).userCode
      const target = { action, values: stateOf(ctx) }
      const repeat = error && { ...target.values, user_code: userCode ?? '' }
      show(auth, ctx, (language) => ({
        ...deviceCodePage({ userCode, problem, target }, language),
        repeat,
      }))
    },
    userCodeConfirmSource(
      ctx: KoaContextWithOIDC,
      _form: string,
      asking: Client,
      info: Readonly<Record<string, unknown>>,
      userCode: string,
    ) {
      const repeat = { ...stateOf(ctx), user_code: userCode }
      const values = { ...repeat, confirm: 'yes' }
      const [agent, ip] = [info.ua, info.ip].map((fact) =>
        typeof fact === 'string' && fact !== '' ? fact : undefined,
      )
      show(auth, ctx, (language) => {
        const device = { agent, place: ip && shownPlace(auth, ip, language) }
        const view = { client: client(asking), userCode, device, target: { action, values } }
        return { ...deviceConfirmPage(view, language), repeat }
      })
    },
    successSource(ctx: KoaContextWithOIDC) {
      const { client: asking } = ctx.oidc
      if (asking !== undefined) {
        // The address of this page counts once.
        show(auth, ctx, (language) => ({
          ...deviceDonePage(client(asking), language),
          repeat: 'never',
        }))
      }
    },
  }
}
