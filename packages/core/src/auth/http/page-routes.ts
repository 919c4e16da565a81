import { isGatehouseError } from '../../errors.ts'
import { type Answer, redirect } from '../../http/answer.ts'
import { foreignOrigin } from '../../http/cross-origin.ts'
import type { RequestInfo, RouteRequest } from '../../http/route.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { placeOf } from '../events/place-of.ts'
import { approveLink } from '../flows/approve-link.ts'
import { countryName } from '../kinds/oob-otp/country-name.ts'
import { type FoundLink, findLink } from '../kinds/oob-otp/find-link.ts'
import { linkOf } from '../kinds/oob-otp/messages.ts'
import type { LinkRequest } from '../kinds/oob-otp/otp-code.ts'
import { browserName } from '../sessions/browser-name.ts'
import { disownSignIn } from '../sessions/disown-sign-in.ts'
import { type DoubtedSignIn, notMePath, openNotMeCode } from '../sessions/not-me-code.ts'
import {
  approvedPage,
  confirmPage,
  deadLinkPage,
  disownedPage,
  notMePage,
  pageAnswer,
  recoveryPage,
  replacedLinkPage,
  type ShownRequest,
} from './pages.ts'
import type { FramedRow } from './request-frame.ts'

const verifyPath = '/authflow/v2/verify_login_link'
const resetPath = '/authflow/v2/reset_password'

/** The format of codes in links. Other codes cannot be from a message. */
const linkCode = /^[0-9A-HJKMNP-TV-Z]{32}$/

function codeOf({ query }: RequestInfo): string | undefined {
  const code = new URLSearchParams(query).get('code')?.trim() ?? ''
  return linkCode.test(code) ? code : undefined
}

/**
 * The pages that links in messages lead to. Opening one changes nothing. A link for signing in, or for verifying an address, is
 * approved by the button of its page. A link for account recovery redirects to the host's page if `links.reset_password` names
 * one; otherwise its page shows the code to enter.
 */
export function pageRows(auth: AuthContext): readonly FramedRow[] {
  return [
    ...reading(verifyPath, (info) => showConfirmation(auth, info)),
    {
      method: 'POST',
      path: verifyPath,
      kind: 'page',
      action: 'public',
      async answer({ request, info }) {
        checkSite(auth, request)
        return approve(auth, info)
      },
    },
    ...reading(resetPath, (info) => showRecovery(auth, info)),
    ...reading(notMePath, async (info) =>
      pageAnswer(doubtedOf(auth, info) === undefined ? deadLinkPage(403) : notMePage),
    ),
    {
      method: 'POST',
      path: notMePath,
      kind: 'page',
      action: 'public',
      async answer({ request, info }) {
        checkSite(auth, request)
        const doubted = doubtedOf(auth, info)
        if (doubted === undefined) return pageAnswer(deadLinkPage(403))
        await disownSignIn(auth, doubted)
        return pageAnswer(disownedPage(passwordPage(auth.config.current.links)))
      },
    },
  ]
}

/** The sign-in that a mail was about, by the link in it. */
function doubtedOf(
  { secrets, clock }: AuthContext,
  { query }: RequestInfo,
): DoubtedSignIn | undefined {
  const code = new URLSearchParams(query).get('code') ?? ''
  return openNotMeCode(secrets, code, clock.now())
}

/** Where people choose another password: the app's page, else the one that recovery links lead to, without a code. */
function passwordPage({ not_me, reset_password }: LoadedAuthConfig['links']): string | undefined {
  return not_me ?? reset_password?.replace(/[?#].*$/s, '')
}

/**
 * Refuses the button on a page of another site. Old browsers do not name the site, and hide the origin of this page's own form,
 * since its referrer is kept back.
 *
 * @throws {GatehouseError} `Forbidden`
 */
function checkSite({ config }: AuthContext, request: RouteRequest): void {
  const foreign = foreignOrigin(request, config.current.http.public_origin)
  const isUnnamed = foreign === 'null' && request.headers.get('sec-fetch-site') === null
  if (foreign === undefined || isUnnamed) return
  throw authError('Forbidden', 'Forbidden', 'a page of another site sent this request')
}

function reading(path: string, answer: (info: RequestInfo) => Promise<Answer>): FramedRow[] {
  return ['GET', 'HEAD'].map((method) => ({
    method,
    path,
    kind: 'page',
    action: 'public',
    answer: ({ info }) => answer(info),
  }))
}

async function showConfirmation(auth: AuthContext, info: RequestInfo): Promise<Answer> {
  const link = await linkOfPage(auth, info)
  const isRecovery = link?.purpose === 'forgot_password'
  if (link?.state !== 'good' || isRecovery) return deadLink(isRecovery ? undefined : link, 403)
  return pageAnswer(confirmPage(link.request && shownRequest(auth, link.request)))
}

async function linkOfPage(auth: AuthContext, info: RequestInfo): Promise<FoundLink | undefined> {
  const code = codeOf(info)
  return code === undefined ? undefined : findLink(auth, code)
}

const deadLink = (link: FoundLink | undefined, status: number): Answer =>
  pageAnswer(link?.state === 'replaced' ? replacedLinkPage(status) : deadLinkPage(status))

/** The request that a link was sent for, in words. */
function shownRequest(auth: AuthContext, { at, ip, user_agent }: LinkRequest): ShownRequest {
  const { geo_location_code: code } = placeOf(auth, ip)
  const country = code === undefined ? undefined : countryName(code, 'en')
  return {
    browser: browserName(user_agent),
    place: country === undefined ? ip : `${ip} (${country})`,
    time: `${new Date(at).toISOString().slice(0, 16).replace('T', ' at ')} UTC`,
  }
}

async function approve(auth: AuthContext, info: RequestInfo): Promise<Answer> {
  try {
    await approveLink(auth, codeOf(info) ?? '')
    return pageAnswer(approvedPage)
  } catch (error) {
    if (!isGatehouseError(error) || error.reason !== 'InvalidOTPCode') throw error
    return deadLink(await linkOfPage(auth, info), 403)
  }
}

async function showRecovery(auth: AuthContext, info: RequestInfo): Promise<Answer> {
  const code = codeOf(info)
  if (code === undefined) return pageAnswer(deadLinkPage(400))
  const config = auth.config.current
  const target = linkOf(config, 'forgot_password', code)
  // The host's page also handles links that are no longer valid.
  if (!isThisPage(config.http, target)) {
    const { headers, ...answer } = redirect(302, 'GET', target)
    return { ...answer, headers: { ...headers, 'referrer-policy': 'no-referrer' } }
  }
  const link = await findLink(auth, code)
  if (link?.purpose !== 'forgot_password') return pageAnswer(deadLinkPage(400))
  return link.state === 'good' ? pageAnswer(recoveryPage(code)) : deadLink(link, 400)
}

function isThisPage(
  { public_origin, base_path }: { readonly public_origin: string; readonly base_path: string },
  target: string,
): boolean {
  const { origin, pathname } = new URL(target, public_origin)
  return origin === public_origin && pathname === `${base_path}${resetPath}`
}
