import { errorText } from '../../errors.ts'
import { errorWithoutSecrets } from '../../http-client/without-secrets.ts'
import type { Logger } from '../../logger.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Account } from '../accounts/account.ts'
import { loadAccount } from '../accounts/accounts.ts'
import { localeOf } from '../accounts/user-record.ts'
import type { WithConfig } from '../config/config.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import type { NoticeReceiver } from '../events/receivers.ts'
import { mailParts } from '../kinds/oob-otp/messages.ts'
import type { OutgoingMessage, Sender } from '../kinds/oob-otp/senders.ts'
import type { RenderMessage } from '../messages/message-templates.ts'
import type { NoticeName } from '../messages/message-texts.ts'
import type { DeliveryOutcome } from '../metrics.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { notMeCode, notMePath } from '../sessions/not-me-code.ts'
import { newSignInEvent } from '../sessions/see-browser.ts'
import { knownBrowser } from '../wire/known-browser.ts'
import { keepAccountCode, keepAccountPath } from './keep-account-code.ts'
import { deletionScheduledEvent, type KnownAddresses, noticeOf, recipientsOf } from './notice.ts'

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
  const account = await loadAccount(ports.storage, userId)
  const recipients = recipientsOf(event, addressesOf(account))
  const locale = account && localeOf(account.user)
  const failures: Error[] = []
  let sent = 0
  for (const target of recipients) {
    if (isSuppressed(ports, target)) {
      ports.counters.noticeSent(name, 'suppressed')
      sent += 1
      continue
    }
    try {
      await sendEmail(compose(ports, event, { name, target, locale }))
      ports.counters.noticeSent(name, 'sent')
      sent += 1
    } catch (error) {
      ports.counters.noticeSent(name, 'failed')
      const link = linkOfNotice(ports, event) ?? target
      failures.push(errorWithoutSecrets(error, [target, link]))
    }
  }
  const [failure] = failures
  if (failure === undefined) return
  // Those that got it must not get it again because of the others.
  if (sent === 0) throw failure
  ports.logger.warn({ error: errorText(failure), event: event.id }, 'a notice was not sent')
}

function addressesOf(account: Account | undefined): KnownAddresses {
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
  {
    name,
    target,
    locale,
  }: { readonly name: NoticeName; readonly target: string; readonly locale: string | undefined },
): OutgoingMessage {
  const { config, messages } = ports
  const { context } = event
  const { http, links } = config.current
  // The owner's language comes first: a stranger may have made the change.
  const languages = [...(locale === undefined ? [] : [locale]), ...context.preferred_languages]
  const rendered = messages(name, languages, {
    code: '',
    link: linkOfNotice(ports, event) ?? links.not_me ?? '',
    minutes: 0,
    origin: http.public_origin,
    channel: 'email',
    device: knownBrowser(context.user_agent),
    place: context.geo_location_code ?? '',
    time: context.timestamp,
    deleteAt: deletionOf(event),
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

/** Where the reader ends a sign-in, or withdraws a deletion. */
function linkOfNotice({ config, secrets }: NoticePorts, event: AuthEvent): string | undefined {
  const { id } = Object(event.payload.session)
  const { user_id, timestamp: at } = event.context
  if (user_id === null) return undefined
  const { public_origin: origin, base_path: base } = config.current.http
  const leadTo = (path: string, code: string): string =>
    `${origin}${base}${path}?code=${encodeURIComponent(code)}`
  const delete_at = deletionOf(event)
  if (delete_at !== undefined) {
    return leadTo(keepAccountPath, keepAccountCode(secrets, { user_id, delete_at }))
  }
  // The sessions of the app's authorization server are not ours to end.
  if (event.type !== newSignInEvent || typeof id !== 'string') return undefined
  return leadTo(notMePath, notMeCode(secrets, { user_id, at }))
}

/** When the account of an event is deleted, if the event is about that. */
function deletionOf({ type, payload }: AuthEvent): number | undefined {
  const { delete_at: at } = Object(payload.user)
  if (type !== deletionScheduledEvent || typeof at !== 'string') return undefined
  return Date.parse(at)
}
