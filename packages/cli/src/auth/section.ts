import {
  type ConfigKind,
  type ConfigNode,
  childPlace,
  type DecodePlace,
  flag,
  integer,
  listOf,
  optional,
  reportCheck,
  text,
} from '@gatehouse/core/config'
import { section } from '../config/config-section.ts'
import { type PlacedText, placedText } from '../config/outside-text.ts'
import { type HttpSenderSection, httpSenderSection } from '../senders/http.ts'
import { type SmtpSection, smtpSection } from '../senders/smtp.ts'
import { type BotProtectionSection, botProtectionSection } from './bot-protection.ts'
import { type KeySection, keys, keysMissing } from './keys.ts'
import { type ListsSection, listsSection } from './lists.ts'
import {
  type OAuthClientSection,
  type OAuthSecretSection,
  oauthClientSection,
  oauthSection,
} from './oauth.ts'
import {
  type AuthWebhookSection,
  type EventWebhookSection,
  eventWebhookSection,
  hookSection,
} from './webhooks.ts'

/** For a developer's machine, never for a server that others reach. */
export interface DevSection {
  /** Write codes and links into the log. */
  readonly print_codes: boolean
}

/** The section `auth` of the file of `gatehouse api`. */
export interface AuthSection {
  /** The path of an authgear.yaml, or its content. */
  readonly config: ConfigNode | undefined
  readonly keys: readonly KeySection[]
  /** Path of a file that holds the only key. */
  readonly key_file: PlacedText | undefined
  readonly smtp: SmtpSection | undefined
  readonly sms: HttpSenderSection | undefined
  readonly whatsapp: HttpSenderSection | undefined
  readonly lists: ListsSection | undefined
  /** What shows identity providers who asks. */
  readonly oauth: readonly OAuthSecretSection[]
  readonly oauth_client: OAuthClientSection
  readonly bot_protection: BotProtectionSection | undefined
  /** Who is told of what happens. */
  readonly events: readonly EventWebhookSection[]
  /** Who is asked before it does. */
  readonly hook: AuthWebhookSection | undefined
  /** Below which people look after their own accounts. */
  readonly account_path: string | undefined
  readonly max_body_bytes: number | undefined
  readonly dev: DevSection | undefined
}

const anyNode: ConfigKind<ConfigNode | undefined> = {
  typeName: 'path or configuration',
  zero: undefined,
  isOptional: true,
  decode: ({ node }) => node,
  encode: () => undefined,
}

const devSection: ConfigKind<DevSection> = section<DevSection>({
  typeName: 'dev',
  fields: { print_codes: { kind: flag } },
})

const parts: ConfigKind<AuthSection> = section<AuthSection>({
  typeName: 'auth',
  fields: {
    config: { kind: anyNode },
    keys: { kind: keys },
    key_file: { kind: placedText },
    smtp: { kind: optional(smtpSection) },
    sms: { kind: optional(httpSenderSection) },
    whatsapp: { kind: optional(httpSenderSection) },
    lists: { kind: optional(listsSection) },
    oauth: { kind: oauthSection },
    oauth_client: { kind: oauthClientSection },
    bot_protection: { kind: optional(botProtectionSection) },
    events: { kind: listOf(eventWebhookSection, 'events') },
    hook: { kind: optional(hookSection) },
    account_path: { kind: optional(text) },
    max_body_bytes: { kind: optional(integer('uint')) },
    dev: { kind: optional(devSection) },
  },
  check({ keys: given, key_file: file, account_path: path, max_body_bytes: bytes }, report) {
    if (given.length > 0 && file !== undefined) report('either keys or key_file', 'key_file')
    if (path !== undefined && !/^(\/[\w.~-]+)+$/.test(path)) {
      report('account_path is a path such as /api/v1/account', 'account_path')
    }
    if (bytes === 0) report('max_body_bytes is a number from 1 on', 'max_body_bytes')
  },
})

/** How the section is read. What must be there is missed also where other keys are wrong. */
export const authSection: ConfigKind<AuthSection> = {
  ...parts,
  decode(place) {
    const given = parts.decode(place)
    if (place.node.kind === 'mapping') checkPresence(given, place)
    return given
  },
}

function checkPresence(
  { config, keys: given, key_file: file }: AuthSection,
  place: DecodePlace,
): void {
  const missing = config === undefined || (config.kind === 'scalar' && config.text === '')
  if (missing) reportCheck(place, 'config is missing: the path of an authgear.yaml, or its content')
  else if (config.kind === 'sequence') {
    reportCheck(childPlace(place, config, 'config'), 'config is neither a path nor a mapping')
  }
  if (given.length === 0 && file === undefined) reportCheck(place, keysMissing)
}
