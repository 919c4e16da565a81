import { errorText } from '../../errors.ts'
import { errorWithoutSecrets } from '../../http-client/without-secrets.ts'
import type { Logger } from '../../logger.ts'
import type { Storage } from '../../storage/storage.ts'
import { loadAccount } from '../accounts/accounts.ts'
import type { WithConfig } from '../config/config.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import type { NoticeReceiver } from '../events/receivers.ts'
import type { RenderMessage } from '../kinds/oob-otp/message-templates.ts'
import type { NoticeName } from '../kinds/oob-otp/message-texts.ts'
import { mailParts } from '../kinds/oob-otp/messages.ts'
import type { OutgoingMessage, Sender } from '../kinds/oob-otp/senders.ts'
import type { DeliveryOutcome } from '../metrics.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { knownBrowserName } from '../sessions/browser-name.ts'
import { notMeCode, notMePath } from '../sessions/not-me-code.ts'
import { newSignInEvent } from '../sessions/see-browser.ts'
import { type KnownAddresses, noticeOf, recipientsOf } from './notice.ts'

/** What notices are made and sent with. */
export interface NoticePorts extends WithConfig {
  readonly storage: Storage
  readonly messages: RenderMessage
  readonly secrets: Pick<SecretBox, 'seal'>
  readonly logger: Logger
  readonly counters: { noticeSent(name: NoticeName, outcome: DeliveryOutcome): void }
}

/** A notice of what happened the day before is of no use. */
const lifetimeMs = 86_400_000

/**
 * Tells people of changes to their account. It receives events as the app does: each change is stored together with its event, and
 * one process sends its mails.
 */
export function createNoticeReceiver(ports: NoticePorts, sendEmail: Sender): NoticeReceiver {
  const { config } = ports
  return {
    wants: (type) => noticeOf(config.current, type) !== undefined,
    send: (event) => sendNotices(ports, sendEmail, event),
  }
}

/** @throws {Error} if no mail of the event could be sent. Its message names no address. */
async function sendNotices(ports: NoticePorts, sendEmail: Sender, event: AuthEvent): Promise<void> {
  const name = noticeOf(ports.config.current, event.type)
  const { user_id: userId } = event.context
  if (name === undefined || userId === null) return
  const recipients = recipientsOf(event, await addressesOf(ports.storage, userId))
  const failures: Error[] = []
  let sent = 0
  for (const target of recipients) {
    if (isSuppressed(ports, target)) {
      ports.counters.noticeSent(name, 'suppressed')
      sent += 1
      continue
    }
    try {
      await sendEmail(compose(ports, event, { name, target }))
      ports.counters.noticeSent(name, 'sent')
      sent += 1
    } catch (error) {
      ports.counters.noticeSent(name, 'failed')
      failures.push(errorWithoutSecrets(error, [target]))
    }
  }
  const [failure] = failures
  if (failure === undefined) return
  // Those that got it must not get it again because of the others.
  if (sent === 0) throw failure
  ports.logger.warn({ error: errorText(failure), event: event.id }, 'a notice was not sent')
}

async function addressesOf(storage: Storage, userId: string): Promise<KnownAddresses> {
  const account = await loadAccount(storage, userId)
  const { email } = account?.user.standard_attributes ?? {}
  const verified = (account?.verified_claims ?? []).filter(({ name }) => name === 'email')
  return {
    verified: verified.map(({ value }) => value),
    profile: typeof email === 'string' ? email : undefined,
  }
}

/** Whether the test mode keeps back mails to an address. */
const isSuppressed = ({ config }: NoticePorts, target: string): boolean =>
  config.current.test_mode.email.some(({ regex, suppressed }) => suppressed && regex.test(target))

function compose(
  ports: NoticePorts,
  event: AuthEvent,
  { name, target }: { readonly name: NoticeName; readonly target: string },
): OutgoingMessage {
  const { config, messages } = ports
  const { context } = event
  const { http, links } = config.current
  const rendered = messages(name, context.preferred_languages, {
    code: '',
    link: disowningLink(ports, event) ?? links.not_me ?? '',
    minutes: 0,
    origin: http.public_origin,
    channel: 'email',
    device: knownBrowserName(context.user_agent) ?? '',
    place: context.geo_location_code ?? '',
    time: timeText(context.timestamp),
  })
  return {
    kind: name,
    channel: 'email',
    target,
    text: rendered.text,
    ...mailParts(rendered),
    locale: rendered.locale,
    client_id: context.client_id,
    user_id: context.user_id,
    expires_at: context.timestamp + lifetimeMs,
  }
}

/** Where a sign-in that was not the reader's own is ended. */
function disowningLink(
  { config, secrets }: NoticePorts,
  { type, payload, context }: AuthEvent,
): string | undefined {
  const { id } = Object(payload.session)
  const { user_id, timestamp: at } = context
  // The sessions of the app's authorization server are not ours to end.
  if (type !== newSignInEvent || typeof id !== 'string' || user_id === null) return undefined
  const { public_origin: origin, base_path: base } = config.current.http
  const code = notMeCode(secrets, { user_id, at })
  return `${origin}${base}${notMePath}?code=${encodeURIComponent(code)}`
}

/** As `2026-03-04 10:00 UTC`: where its reader is, is not known. */
const timeText = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
