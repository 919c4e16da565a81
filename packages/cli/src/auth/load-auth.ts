import {
  decodeAuthConfig,
  type EventWebhookOptions,
  type LoadedAuthConfig,
  type LoginIdLists,
  type SecretKey,
} from '@gatehouse/core/auth'
import type { ConfigProblem } from '@gatehouse/core/config'
import type { Passkeys } from '@gatehouse/core/passkeys'
import { createPasswordStrength } from '@gatehouse/core/password-strength'
import type { TextFile } from '../config/config-file.ts'
import { isLiteral, type Outside, outsideText, type PlacedText } from '../config/outside-text.ts'
import type { ReadFiles } from '../config/read-files.ts'
import type { Refusals } from '../config/refusals.ts'
import type { SenderSettings } from '../senders/create-senders.ts'
import { readHttpSender } from '../senders/http.ts'
import { readSmtp } from '../senders/smtp.ts'
import { forDevelopment, namesOrigin } from './development.ts'
import { inDocument, readAuthDocument, refuseProblems } from './document.ts'
import { readKeys } from './keys.ts'
import { readLists } from './lists.ts'
import { findAuthNeeds } from './needs.ts'
import { readOAuthSecrets } from './oauth.ts'
import type { AuthPortSettings } from './ports.ts'
import { secretProblems } from './providers.ts'
import type { AuthSection } from './section.ts'
import { readAuthWebhook } from './webhooks.ts'

/** What the section `auth` says beside its document, with all that it takes from outside. */
export interface AuthSettings extends SenderSettings {
  readonly secrets: readonly SecretKey[]
  readonly lists: LoginIdLists
  readonly maxBodyBytes: number | undefined
  /** Below which people look after their own accounts; `undefined` where they do not. */
  readonly accountPath: string | undefined
  /** Who is told of what happens. */
  readonly events: readonly EventWebhookOptions[]
  /** Who is asked before it does. */
  readonly hook: EventWebhookOptions | undefined
  /** Whether the section has a part `dev`. */
  readonly isDevelopment: boolean
  /** Whether secrets stand in the file itself, as opposed to where it says. */
  readonly holdsLiteralSecrets: boolean
}

/** The section `auth` and the files it names, read and checked. */
export interface LoadedAuth {
  /** The file that holds the document. */
  readonly filename: string
  readonly settings: AuthSettings
  /** What comes into force with the document. */
  readonly portSettings: AuthPortSettings
  /** Who checks passkeys; `undefined` where the document has none. */
  readonly passkeys: Passkeys | undefined
  /**
   * The document. One for development that does not say where it is reached is reached at this origin; to all others it means
   * nothing.
   */
  configAt(origin: string): LoadedAuthConfig
  /** Whether `origin` means something. */
  readonly takesOrigin: boolean
}

/** Options of {@link loadAuth}. */
export interface LoadAuthOptions {
  /** The file of the section. */
  readonly file: TextFile
  readonly files: ReadFiles
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Takes what is wrong. */
  readonly refusals: Refusals
}

/** For a look at whether a document is good. */
export const anyOrigin = 'http://localhost'

/**
 * Reads a section and the files it names. What is wrong is noted in `refusals`, with nothing to answer then.
 *
 * @throws {Error} of Node, for what is no fault of the files.
 */
export async function loadAuth(
  section: AuthSection,
  { file, files, environment, refusals }: LoadAuthOptions,
): Promise<LoadedAuth | undefined> {
  const problems: ConfigProblem[] = []
  const { directory } = file
  const report = (problem: ConfigProblem): void => void problems.push(problem)
  const outside = { environment, files, directory, report }
  const settings = await readSettings(section, outside)
  const portSettings = await readPortSettings(section, outside)
  refusals.add(problems)
  const document = await refusals.of(() => readAuthDocument(section.config, file, files))
  if (document === undefined) return undefined
  const { filename, path } = document
  const configAt = (origin: string): LoadedAuthConfig => {
    const node = settings.isDevelopment ? forDevelopment(document.node, origin) : document.node
    return decodeAuthConfig(node, { filename })
  }
  const config = await refusals.of(() => inDocument(document, () => configAt(anyOrigin)), path)
  if (config === undefined) return undefined
  await refusals.of(() => checkStrength(config))
  refusals.add(secretProblems(section.oauth, config))
  const needs = await findAuthNeeds(document, config, section.bot_protection !== undefined)
  await refusals.of(() => refuseProblems(document, needs.problems), path)
  const takesOrigin = settings.isDevelopment && !namesOrigin(document.node)
  const { passkeys } = needs
  return { filename, settings, portSettings, passkeys, configAt, takesOrigin }
}

async function readSettings(section: AuthSection, outside: Outside): Promise<AuthSettings> {
  const { keys, key_file: file, smtp, sms, whatsapp, lists, events, hook, dev } = section
  const given = file === undefined ? keys : [{ id: undefined, key: undefined, file }]
  return {
    secrets: await readKeys(given, outside),
    smtp: smtp && (await readSmtp(smtp, outside)),
    sms: sms && readHttpSender(sms, outside),
    whatsapp: whatsapp && readHttpSender(whatsapp, outside),
    lists: lists === undefined ? {} : await readLists(lists, outside),
    maxBodyBytes: section.max_body_bytes,
    accountPath: section.account_path,
    events: events.flatMap((one) => readAuthWebhook(one, outside) ?? []),
    hook: hook && readAuthWebhook(hook, outside),
    isDevelopment: dev !== undefined,
    printCodes: dev?.print_codes ?? false,
    holdsLiteralSecrets: secretsOf(section).some(isLiteral),
  }
}

async function readPortSettings(
  { oauth, oauth_client: client, bot_protection: bots }: AuthSection,
  outside: Outside,
): Promise<AuthPortSettings> {
  return {
    credentials: await readOAuthSecrets(oauth, outside),
    allowPrivateAddresses: client.allow_private_addresses,
    oauthTimeoutMs: client.timeout,
    botSecretKey: bots?.secret_key && outsideText(outside, bots.secret_key),
  }
}

/** The texts of a section that are secrets, or say where one is. */
function secretsOf({
  keys,
  smtp,
  sms,
  whatsapp,
  oauth,
  bot_protection: bots,
  events,
  hook,
}: AuthSection): readonly PlacedText[] {
  return [
    ...keys.map(({ key }) => key),
    smtp?.password,
    sms?.token,
    whatsapp?.token,
    ...oauth.flatMap(({ client_secret: secret, private_key: key }) => [secret, key]),
    bots?.secret_key,
    ...events.map(({ secret }) => secret),
    hook?.secret,
  ].filter((text) => text !== undefined)
}

/** The levels above it need what rates passwords. */
const freeLevel = 1

/** @throws {GatehouseError} `MissingPackage` if passwords must be rated, and what does it is not installed. */
async function checkStrength({ authenticator }: LoadedAuthConfig): Promise<void> {
  if (authenticator.password.policy.minimum_guessable_level <= freeLevel) return
  await createPasswordStrength()('a password to see whether it can be rated')
}
