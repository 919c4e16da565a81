import {
  type EventWebhookOptions,
  isRangeUrl,
  type LoginIdLists,
  type MessageTranslations,
} from '@gatehouse/core/auth'
import {
  checked,
  duration,
  filledText,
  flag,
  integer,
  listOf,
  mapping,
  optional,
  required,
  type Schema,
  secretText,
  text,
  textLike,
  withDefault,
} from '@gatehouse/core/document'
import type { OAuthCredentials } from '@gatehouse/core/oauth'
import { documentOrPath } from '../config/kinds.ts'
import { type HttpSenderSettings, httpSenderSection } from '../senders/http.ts'
import { type SmtpSettings, smtpSection } from '../senders/smtp.ts'
import { type KeySection, keys, keysMissing } from './keys.ts'
import { type LdapSection, ldapSection } from './ldap.ts'
import { listsSection } from './lists.ts'
import { messagesSection } from './messages.ts'
import { type OAuthClientSection, oauthClientSection, oauthSection } from './oauth.ts'
import { type OidcSection, oidcSection } from './oidc-section.ts'
import { type PagesSection, pagesSection } from './pages.ts'
import { eventWebhookSection, hookSection } from './webhooks.ts'

/** The section `bot_protection`: the secret for the site key in the document. */
interface BotProtectionSection {
  readonly secret_key: string
}

const botProtectionSection: Schema<BotProtectionSection> = mapping<BotProtectionSection>(
  { secret_key: required(secretText, 'The secret for the site key in the document.') },
  { title: 'BotProtection' },
)

/** The section `leaked_passwords`. */
interface LeakedPasswordsSection {
  /** Where ranges are; `undefined` for the public service. */
  readonly url: string | undefined
}

const leakedPasswordsSection: Schema<LeakedPasswordsSection> = mapping<LeakedPasswordsSection>(
  {
    url: optional(
      textLike(isRangeUrl, 'an https or http URL that ends with "/"'),
      'A range service of your own, as `https://ranges.example.com/range/`. Default: Have I Been Pwned.',
    ),
  },
  { title: 'LeakedPasswords' },
)

/** For development machines only, never for a server that others can reach. */
export interface DevSection {
  /** Log codes and links. */
  readonly print_codes: boolean
}

/** The section `auth` of the file for `gatehouse api`. */
export interface AuthSection {
  readonly config: 'path' | 'content'
  /** Path of a file that holds the only key. */
  readonly key_file: string | undefined
  readonly keys: readonly KeySection[] | undefined
  readonly smtp: SmtpSettings | undefined
  readonly sms: HttpSenderSettings | undefined
  readonly whatsapp: HttpSenderSettings | undefined
  /** The client's credentials at identity providers, by alias. */
  readonly oauth: ReadonlyMap<string, OAuthCredentials>
  readonly oauth_client: OAuthClientSection
  /** The searching accounts of directories, by the name of the server. */
  readonly ldap: ReadonlyMap<string, LdapSection>
  readonly bot_protection: BotProtectionSection | undefined
  /** Where new passwords are looked up; `undefined`: nowhere. */
  readonly leaked_passwords: LeakedPasswordsSection | undefined
  /** Webhooks that receive events. */
  readonly events: readonly EventWebhookOptions[]
  /** The key of the signatures of webhooks in the document. */
  readonly hook_secret: string | undefined
  /** In ms. */
  readonly audit_retention: number
  /** The webhook for blocking events. */
  readonly hook: EventWebhookOptions | undefined
  /** The account API; `undefined`: off. */
  readonly account: AccountSection | undefined
  /** Messages of the app's own. */
  readonly messages: MessageTranslations
  /** The sign-in pages; `undefined`: only for the console. */
  readonly pages: PagesSection | undefined
  /** The authorization server; `undefined`: off. */
  readonly oidc: OidcSection | undefined
  /** Whether operators may manage users over HTTP. */
  readonly manage_users: boolean
  readonly lists: LoginIdLists
  readonly max_body_bytes: number | undefined
  readonly dev: DevSection | undefined
}

const devSection: Schema<DevSection> = mapping<DevSection>(
  {
    print_codes: withDefault(flag, false, 'Whether codes and links are logged.'),
  },
  { title: 'AuthDevelopment' },
)

/** The account API of signed-in users. */
export interface AccountSection {
  /** Below the base path of sign-in. */
  readonly base_path: string
}

const accountPath: Schema<string> = textLike(
  (path) => /^(\/[\w.~-]+)+$/.test(path),
  'a path such as /api/v1/account',
  text,
)

const accountSection: Schema<AccountSection> = mapping<AccountSection>(
  {
    base_path: withDefault(
      accountPath,
      '/api/v1/account',
      'Where its paths begin, below `http.base_path` of the document.',
    ),
  },
  { title: 'AuthAccount' },
)

const parts = mapping<AuthSection>(
  {
    config: required(
      documentOrPath,
      'A file in the shape of `authgear.yaml`, or its content as a mapping.',
    ),
    key_file: optional(
      filledText,
      'A file with the key for sealing states and secrets: at least 32 bytes. `openssl rand -base64 32` makes one. Set this or `keys`.',
    ),
    keys: optional(
      keys,
      'A key, or a list of keys: the first seals, all open. Each is a string, `{ id, key }` or `{ id, file }`; the default `id` is a digest of the key.',
    ),
    smtp: optional(smtpSection, 'The SMTP server for email. Default: none is sent.'),
    sms: optional(httpSenderSection, 'The sender of SMS. Default: none are sent.'),
    whatsapp: optional(
      httpSenderSection,
      'The sender of WhatsApp messages. Default: none are sent.',
    ),
    oauth: withDefault(
      oauthSection,
      {},
      'The secrets of [identity providers](#identity-providers-and-passkeys), by alias.',
    ),
    oauth_client: withDefault(
      oauthClientSection,
      {},
      'How requests to identity providers are made.',
    ),
    ldap: withDefault(
      ldapSection,
      {},
      'The accounts that search the directories of `identity.ldap`, by the name of the server. Default: searches are anonymous.',
    ),
    bot_protection: optional(
      botProtectionSection,
      'For `bot_protection` in the document with the types `cloudflare` (Turnstile) and `recaptchav2`. Required if it is enabled there.',
    ),
    leaked_passwords: optional(
      leakedPasswordsSection,
      'Refuses new passwords that are [known from a leak](auth-methods.md#leaked-passwords); `{}` asks Have I Been Pwned. A change takes effect at the next start. Default: none are looked up.',
    ),
    events: withDefault(
      listOf(eventWebhookSection),
      [],
      'Webhooks that [receive events](#events-and-hooks).',
    ),
    hook: optional(
      hookSection,
      'A webhook for [blocking events](#events-and-hooks): it may refuse or change an operation.',
    ),
    hook_secret: optional(
      secretText,
      'The key that signs the webhooks of `hook` in the document. Required if there are webhooks.',
    ),
    audit_retention: withDefault(
      duration({ isAge: true }),
      '90d',
      'How long the audit log is kept, at most 128 MiB of it; `0` for none.',
    ),
    account: optional(
      accountSection,
      'Serves [the account API](auth-sessions.md#over-http) for signed-in users; `{}` at `/api/v1/account`. Custom attributes are not shown there. Default: off.',
    ),
    messages: withDefault(
      messagesSection,
      {},
      'Files with [texts of your own](auth-messages.md#texts-of-your-own) for mails and SMS, by language and name. A change takes effect at the next start. Default: the built-in ones.',
    ),
    pages: optional(
      pagesSection,
      'Serves [the sign-in pages](sign-in.md) at `/login`, `/signup`, `/recovery` and `/account`, and the account API with them; `{}` with the built-in look. A change takes effect at the next start. Default: only where the [console](console.md#sign-in) needs them, without an account page unless `account` is given.',
    ),
    oidc: optional(
      oidcSection,
      'Lets [apps sign people in here](#apps-that-sign-in-here), by OpenID Connect and OAuth 2.1. Default: off.',
    ),
    manage_users: withDefault(
      flag,
      false,
      'Whether subjects with the action `users:manage` may [manage users over HTTP](auth-users.md#users-over-http). Needs the section `access`; a change takes effect at the next start.',
    ),
    lists: withDefault(
      listsSection,
      {},
      'Lists for checking usernames and email domains. Each is an array of words, or a file with one word a line and comments after `#`.',
    ),
    max_body_bytes: optional(integer(1), 'The largest request body. Default: 10 MiB.'),
    dev: optional(devSection, 'For development, see below. Default: off.'),
  },
  {
    title: 'Auth',
    notes: new Map([['account_path', 'it is account: { base_path: … }']]),
  },
)

/** The schema of the section `auth`. */
export const authSection: Schema<AuthSection> = checked(
  parts,
  ({ value: { keys: given, key_file: file }, isBroken, report }) => {
    const hasKeys = given !== undefined || isBroken('keys')
    const hasFile = file !== undefined || isBroken('key_file')
    if (hasKeys && hasFile) report(['key_file'], 'conflict', 'set keys or key_file, not both')
    if (!hasKeys && !hasFile) report([], 'required', keysMissing)
  },
)
