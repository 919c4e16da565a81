import { isGatehouseError } from '../../errors.ts'
import { type Answer, redirect } from '../../http/answer.ts'
import { foreignOrigin } from '../../http/cross-origin.ts'
import type { RequestInfo, RouteRequest } from '../../http/route.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { approveLink } from '../flows/approve-link.ts'
import { type FoundLink, findLink } from '../kinds/oob-otp/find-link.ts'
import { linkOf } from '../kinds/oob-otp/messages.ts'
import type { LinkRequest } from '../kinds/oob-otp/otp-code.ts'
import { timeText } from '../messages/time-text.ts'
import {
  keepAccountPath,
  openKeepAccountCode,
  type UnwantedDeletion,
} from '../notices/keep-account-code.ts'
import { withdrawDeletion } from '../people/withdraw-deletion.ts'
import { browserName } from '../sessions/browser-name.ts'
import { disownSignIn } from '../sessions/disown-sign-in.ts'
import { type DoubtedSignIn, notMePath, openNotMeCode } from '../sessions/not-me-code.ts'
import { type PageView, pageViewOf } from './page-view.ts'
import { type PagesInLanguage, pagesIn, type ShownRequest } from './pages.ts'
import type { FramedRow } from './request-frame.ts'
import { shownPlace } from './shown-place.ts'

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
    ...reading(verifyPath, (info, request) => showConfirmation(auth, viewOf(auth, request, info))),
    posting(auth, verifyPath, (info, request) => approve(auth, viewOf(auth, request, info))),
    ...reading(resetPath, (info, request) => showRecovery(auth, viewOf(auth, request, info))),
    ...reading(notMePath, async (info, request) => {
      const { show, pages } = viewOf(auth, request, info)
      return show(doubtedOf(auth, info) === undefined ? pages.dead(403) : pages.notMe)
    }),
    posting(auth, notMePath, async (info, request) => {
      const { show, pages } = viewOf(auth, request, info)
      const doubted = doubtedOf(auth, info)
      if (doubted === undefined) return show(pages.dead(403))
      await disownSignIn(auth, doubted)
      return show(pages.disowned(passwordPage(auth.config.current.links)))
    }),
    ...reading(keepAccountPath, async (info, request) => {
      const { show, pages, language } = viewOf(auth, request, info)
      const unwanted = unwantedOf(auth, info)
      if (unwanted === undefined) return show(pages.dead(403))
      return show(pages.keep(timeText(unwanted.delete_at, language)))
    }),
    posting(auth, keepAccountPath, async (info, request) => {
      const { show, pages } = viewOf(auth, request, info)
      const unwanted = unwantedOf(auth, info)
      const isKept = unwanted !== undefined && (await withdrawDeletion(auth, unwanted))
      return show(isKept ? pages.kept : pages.dead(403))
    }),
  ]
}

/** What the page of a link needs to know of its request. */
interface View extends PageView {
  readonly info: RequestInfo
  readonly pages: PagesInLanguage
}

function viewOf(auth: AuthContext, request: RouteRequest, info: RequestInfo): View {
  const view = pageViewOf(auth, request, info.query)
  return { info, pages: pagesIn(view.language), ...view }
}

const codeIn = ({ query }: RequestInfo): string => new URLSearchParams(query).get('code') ?? ''

/** The sign-in that a mail was about, by the link in it. */
const doubtedOf = ({ secrets, clock }: AuthContext, info: RequestInfo): DoubtedSignIn | undefined =>
  openNotMeCode(secrets, codeIn(info), clock.now())

/** The deletion that a mail was about, likewise. */
const unwantedOf = (
  { secrets, clock }: AuthContext,
  info: RequestInfo,
): UnwantedDeletion | undefined => openKeepAccountCode(secrets, codeIn(info), clock.now())

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

type PageAnswer = (info: RequestInfo, request: RouteRequest) => Promise<Answer>

function reading(path: string, answer: PageAnswer): FramedRow[] {
  return ['GET', 'HEAD'].map((method) => ({
    method,
    path,
    kind: 'page',
    action: 'public',
    answer: ({ info, request }) => answer(info, request),
  }))
}

const posting = (auth: AuthContext, path: string, answer: PageAnswer): FramedRow => ({
  method: 'POST',
  path,
  kind: 'page',
  action: 'public',
  async answer({ info, request }) {
    checkSite(auth, request)
    return answer(info, request)
  },
})

async function showConfirmation(auth: AuthContext, view: View): Promise<Answer> {
  const link = await linkOfPage(auth, view.info)
  const isRecovery = link?.purpose === 'forgot_password'
  if (link?.state !== 'good' || isRecovery)
    return deadLink(isRecovery ? undefined : link, view, 403)
  const request = link.request && shownRequest(auth, link.request, view.language)
  return view.show(view.pages.confirm(request))
}

async function linkOfPage(auth: AuthContext, info: RequestInfo): Promise<FoundLink | undefined> {
  const code = codeOf(info)
  return code === undefined ? undefined : findLink(auth, code)
}

const deadLink = (link: FoundLink | undefined, { show, pages }: View, status: number): Answer =>
  show(link?.state === 'replaced' ? pages.replaced(status) : pages.dead(status))

/** The request that a link was sent for, in words. */
function shownRequest(
  auth: AuthContext,
  { at, ip, user_agent }: LinkRequest,
  language: string,
): ShownRequest {
  return {
    browser: browserName(user_agent, language),
    place: shownPlace(auth, ip, language),
    time: timeText(at, language),
  }
}

async function approve(auth: AuthContext, view: View): Promise<Answer> {
  try {
    await approveLink(auth, codeOf(view.info) ?? '')
    return view.show(view.pages.approved)
  } catch (error) {
    if (!isGatehouseError(error) || error.reason !== 'InvalidOTPCode') throw error
    return deadLink(await linkOfPage(auth, view.info), view, 403)
  }
}

async function showRecovery(auth: AuthContext, view: View): Promise<Answer> {
  const { show, pages } = view
  const code = codeOf(view.info)
  if (code === undefined) return show(pages.dead(400))
  const config = auth.config.current
  const target = linkOf(config, 'forgot_password', code)
  // The host's page also handles links that are no longer valid.
  if (!isThisPage(config.http, target)) {
    const { headers, ...answer } = redirect(302, 'GET', target)
    return { ...answer, headers: { ...headers, 'referrer-policy': 'no-referrer' } }
  }
  const link = await findLink(auth, code)
  if (link?.purpose !== 'forgot_password') return show(pages.dead(400))
  return link.state === 'good' ? show(pages.recovery(code)) : deadLink(link, view, 400)
}

function isThisPage(
  { public_origin, base_path }: { readonly public_origin: string; readonly base_path: string },
  target: string,
): boolean {
  const { origin, pathname } = new URL(target, public_origin)
  return origin === public_origin && pathname === `${base_path}${resetPath}`
}
