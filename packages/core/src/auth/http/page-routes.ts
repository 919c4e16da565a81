import { isGatehouseError } from '../../errors.ts'
import { type Answer, redirect } from '../../http/answer.ts'
import type { RequestInfo } from '../../http/route.ts'
import type { AuthContext } from '../context.ts'
import { approveLink } from '../kinds/oob-otp/approve-link.ts'
import { findLink } from '../kinds/oob-otp/find-link.ts'
import { linkOf } from '../kinds/oob-otp/messages.ts'
import { approvedPage, confirmPage, deadLinkPage, pageAnswer, recoveryPage } from './pages.ts'
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
      answer: (_, info) => approve(auth, info),
    },
    ...reading(resetPath, (info) => showRecovery(auth, info)),
  ]
}

function reading(path: string, answer: (info: RequestInfo) => Promise<Answer>): FramedRow[] {
  return ['GET', 'HEAD'].map((method) => ({
    method,
    path,
    kind: 'page',
    action: 'public',
    answer: (_, info) => answer(info),
  }))
}

async function showConfirmation(auth: AuthContext, info: RequestInfo): Promise<Answer> {
  const code = codeOf(info)
  const link = code && (await findLink(auth, code))
  const isGood = link && link.purpose !== 'forgot_password' && !link.is_used
  return pageAnswer(isGood ? confirmPage : deadLinkPage(403))
}

async function approve(auth: AuthContext, info: RequestInfo): Promise<Answer> {
  try {
    await approveLink(auth, codeOf(info) ?? '')
    return pageAnswer(approvedPage)
  } catch (error) {
    if (!isGatehouseError(error) || error.reason !== 'InvalidOTPCode') throw error
    return pageAnswer(deadLinkPage(403))
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
  const isGood = link?.purpose === 'forgot_password' && !link.is_used
  return pageAnswer(isGood ? recoveryPage(code) : deadLinkPage(400))
}

function isThisPage(
  { public_origin, base_path }: { readonly public_origin: string; readonly base_path: string },
  target: string,
): boolean {
  const { origin, pathname } = new URL(target, public_origin)
  return origin === public_origin && pathname === `${base_path}${resetPath}`
}
