import type { EventWebhookOptions, LoginIdLists } from '@gatehouse/core/auth'
import {
  checked,
  filledText,
  flag,
  integer,
  listOf,
  mapping,
  optional,
  required,
  type Schema,
  text,
  textLike,
  withDefault,
} from '@gatehouse/core/document'
import type { OAuthCredentials } from '@gatehouse/core/oauth'
import { documentOrPath } from '../config/kinds.ts'
import { type HttpSenderSettings, httpSenderSection } from '../senders/http.ts'
import { type SmtpSettings, smtpSection } from '../senders/smtp.ts'
import { type BotProtectionSection, botProtectionSection } from './bot-protection.ts'
import { type KeySection, keys, keysMissing } from './keys.ts'
import { listsSection } from './lists.ts'
import { type OAuthClientSection, oauthClientSection, oauthSection } from './oauth.ts'
import { eventWebhookSection, hookSection } from './webhooks.ts'

/** For a developer's machine, never for a server that others reach. */
export interface DevSection {
  /** Write codes and links into the log. */
  readonly print_codes: boolean
}

/** The section `auth` of the file of `gatehouse api`. */
export interface AuthSection {
  readonly config: 'path' | 'content'
  /** Path of a file that holds the only key. */
  readonly key_file: string | undefined
  readonly keys: readonly KeySection[] | undefined
  readonly smtp: SmtpSettings | undefined
  readonly sms: HttpSenderSettings | undefined
  readonly whatsapp: HttpSenderSettings | undefined
  /** What shows identity providers who asks, by their alias. */
  readonly oauth: ReadonlyMap<string, OAuthCredentials>
  readonly oauth_client: OAuthClientSection
  readonly bot_protection: BotProtectionSection | undefined
  /** Who is told of what happens. */
  readonly events: readonly EventWebhookOptions[]
  /** Who is asked before it does. */
  readonly hook: EventWebhookOptions | undefined
  /** Below which people look after their own accounts; empty: nowhere. */
  readonly account_path: string
  readonly lists: LoginIdLists
  readonly max_body_bytes: number | undefined
  readonly dev: DevSection | undefined
}

const devSection: Schema<DevSection> = mapping<DevSection>(
  {
    print_codes: withDefault(flag, false, 'Whether codes and links are written into the log.'),
  },
  { title: 'AuthDevelopment' },
)

const accountPath: Schema<string> = textLike(
  (path) => /^(\/[\w.~-]+)*$/.test(path),
  'a path such as /api/v1/account',
  text,
)

const parts = mapping<AuthSection>(
  {
    config: required(
      documentOrPath,
      'A file in the shape of `authgear.yaml`, or its content as a mapping.',
    ),
    key_file: optional(
      filledText,
      'A file with the key that states and secrets are sealed under: at least 32 bytes. `openssl rand -base64 32` makes one. Either this or `keys`.',
    ),
    keys: optional(
      keys,
      'A key, or a list of them, of which the first seals and all open. Each is a text, or `{ id, key }`, or `{ id, file }`; without an `id` it is known by a digest of the key.',
    ),
    smtp: optional(smtpSection, 'The server that sends mails. Default: none are sent.'),
    sms: optional(httpSenderSection, 'Who sends SMS. Default: none are sent.'),
    whatsapp: optional(httpSenderSection, 'Who sends WhatsApp messages. Default: none are sent.'),
    oauth: withDefault(
      oauthSection,
      {},
      'The secrets of [identity providers](#identity-providers-and-passkeys), by alias.',
    ),
    oauth_client: withDefault(oauthClientSection, {}, 'How identity providers are asked.'),
    bot_protection: optional(
      botProtectionSection,
      'For `bot_protection` of the document, of the types `cloudflare` (Turnstile) and `recaptchav2`. Needed where that is enabled.',
    ),
    events: withDefault(
      listOf(eventWebhookSection),
      [],
      'Programs that are [told of what happens](#events-and-hooks).',
    ),
    hook: optional(hookSection, 'A program that is [asked before it does](#events-and-hooks).'),
    account_path: withDefault(
      accountPath,
      '',
      'Below which people who are signed in look after [their own accounts](auth-sessions.md#over-http) over HTTP, as `/api/v1/account`; custom attributes are not shown there. Default: they do not.',
    ),
    lists: withDefault(
      listsSection,
      {},
      'Words that names and domains are checked against. Each is a list, or a file with a word on each line and comments behind `#`.',
    ),
    max_body_bytes: optional(integer(1), 'How long a request may be. Default: 10 MiB.'),
    dev: optional(devSection, 'For development, see below. Default: not for development.'),
  },
  { title: 'Auth' },
)

/** How the section is read. */
export const authSection: Schema<AuthSection> = checked(
  parts,
  ({ value: { keys: given, key_file: file }, isBroken, report }) => {
    const hasKeys = given !== undefined || isBroken('keys')
    const hasFile = file !== undefined || isBroken('key_file')
    if (hasKeys && hasFile) report(['key_file'], 'conflict', 'either keys or key_file')
    if (!hasKeys && !hasFile) report([], 'required', keysMissing)
  },
)
