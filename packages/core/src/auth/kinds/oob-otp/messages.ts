import type { Instant } from '../../../time/clock.ts'
import type { LoadedAuthConfig, WithConfig } from '../../config/config.ts'
import { maxLanguages } from '../../flow/languages.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { OtpRequest } from '../../flow/state.ts'
import type { RenderMessage } from '../../messages/message-templates.ts'
import type { OutgoingMessage } from './senders.ts'

interface MessagePorts extends WithConfig {
  readonly messages: RenderMessage
}

/** The code of a message. */
interface ComposedCode {
  readonly code: string
  readonly expiresAt: Instant
  /** The language in the profile of its owner. */
  readonly locale: string | undefined
}

/** The message with a code, or a notice in its place. */
export function composeMessage(
  { auth, session, request, now }: FlowRun<MessagePorts>,
  otp: OtpRequest,
  { code, expiresAt, locale }: ComposedCode,
): OutgoingMessage {
  const { notice, channel, target, user_id } = otp
  const config = auth.config.current
  const shown = notice === undefined ? shownProof(config, otp, code) : {}
  const wishes = [
    ...(session.ui_locales?.split(/[ ,]+/, maxLanguages) ?? []),
    ...request.languages,
    ...(locale === undefined ? [] : [locale]),
  ]
  const rendered = auth.messages(notice ?? otp.message, wishes, {
    code: shown.code ?? '',
    link: shown.link ?? '',
    minutes: Math.ceil((expiresAt - now) / 60_000),
    origin: config.http.public_origin,
    channel,
  })
  return {
    kind: notice ?? otp.message,
    channel,
    target,
    ...shown,
    text: rendered.text,
    ...(channel === 'email' ? mailParts(rendered) : {}),
    locale: rendered.locale,
    client_id: session.client_id,
    user_id: notice === undefined ? user_id : null,
    expires_at: expiresAt,
  }
}

/** The parts of a message that only mails have. */
export function mailParts({
  subject,
  html,
}: {
  readonly subject: string
  readonly html: string | undefined
}): {
  readonly subject: string
  readonly html?: string
} {
  return html === undefined ? { subject } : { subject, html }
}

function shownProof(
  config: LoadedAuthConfig,
  { form, purpose }: OtpRequest,
  code: string,
): { readonly code?: string; readonly link?: string } {
  return form === 'link' ? { link: linkOf(config, purpose, code) } : { code }
}

/** The link of a message. */
export function linkOf(
  config: LoadedAuthConfig,
  purpose: OtpRequest['purpose'],
  code: string,
): string {
  const isRecovery = purpose === 'forgot_password'
  const template = isRecovery ? config.links.reset_password : config.links.verify_login_link
  const page = isRecovery ? 'reset_password' : 'verify_login_link'
  const { public_origin: origin, base_path: base } = config.http
  const url = template ?? `${origin}${base}/authflow/v2/${page}?code={code}`
  return url.replaceAll('{code}', encodeURIComponent(code))
}
