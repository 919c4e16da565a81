import {
  decodeAuthConfig,
  type EventWebhookOptions,
  type LoadedAuthConfig,
  type LoginIdLists,
  type MessageTranslations,
  type SecretKey,
} from '@gatehouse/core/auth'
import {
  type ConfigNode,
  type DocumentProblem,
  nodeAt,
  problemAt,
  type Sound,
} from '@gatehouse/core/document'
import type { Passkeys } from '@gatehouse/core/passkeys'
import { createPasswordStrength } from '@gatehouse/core/password-strength'
import type { TextFile } from '../config/config-file.ts'
import type { ReadFiles } from '../config/read-files.ts'
import type { Refusals } from '../config/refusals.ts'
import type { SenderSettings } from '../senders/create-senders.ts'
import { anyOrigin, forDevelopment, namesOrigin, withSetting } from './development.ts'
import { inDocument, readAuthDocument, refuseProblems } from './document.ts'
import { type PlacedKey, readKeys } from './keys.ts'
import { ldapOptions } from './ldap.ts'
import { findAuthNeeds } from './needs.ts'
import { oidcFindings } from './oidc-problems.ts'
import type { OidcSection } from './oidc-section.ts'
import type { PagesSection } from './pages.ts'
import type { AuthPortSettings } from './ports.ts'
import { secretProblems } from './providers.ts'
import type { AuthSection } from './section.ts'

/** The settings of the section `auth` besides its document, with secrets resolved. */
export interface AuthSettings extends SenderSettings {
  readonly secrets: readonly SecretKey[]
  readonly lists: LoginIdLists
  readonly maxBodyBytes: number | undefined
  /** The base path of the account API; `undefined` if it is off. */
  readonly accountBasePath: string | undefined
  readonly messages: MessageTranslations
  /** The sign-in pages; `undefined` for none but those that the console needs. */
  readonly pages: PagesSection | undefined
  /** Whether operators may manage users over HTTP. */
  readonly managesUsers: boolean
  /** Webhooks that receive events. */
  readonly events: readonly EventWebhookOptions[]
  /** The webhook for blocking events. */
  readonly hook: EventWebhookOptions | undefined
  /** The key of the signatures of webhooks in the document. */
  readonly hookSecret: string | undefined
  readonly auditRetentionMs: number
  /** Where new passwords are looked up; `undefined`: nowhere. */
  readonly leakedPasswords: AuthSection['leaked_passwords']
  /** Whether the section has `dev`. */
  readonly isDevelopment: boolean
}

/** The document and the keys of the section `auth`, read and checked. */
interface AuthFiles {
  /** The file of the document. */
  readonly filename: string
  readonly secrets: readonly SecretKey[]
  /** The passkey verifier; `undefined` if the document does not use passkeys. */
  readonly passkeys: Passkeys | undefined
  /** The configuration for a server at this origin. Only a development document without an origin of its own uses it. */
  configAt(origin: string): LoadedAuthConfig
  /** Whether `configAt` uses its argument. */
  readonly takesOrigin: boolean
  /** Probable mistakes of the section `oidc`. */
  readonly oidcWarnings: readonly DocumentProblem[]
}

/** The section `auth` and its files, read and checked. */
export interface LoadedAuth extends Omit<AuthFiles, 'secrets'> {
  readonly settings: AuthSettings
  /** Settings that take effect together with the document. */
  readonly portSettings: AuthPortSettings
  /** The authorization server, whose settings take effect together with the document; `undefined`: off. */
  readonly oidc: OidcSection | undefined
}

/** Options of {@link loadAuth}. */
export interface LoadAuthOptions {
  /** The nodes of the section's file, without empty ones. */
  readonly root: ConfigNode
  /** The file of the section. */
  readonly file: TextFile
  readonly files: ReadFiles
  /** Collects problems. */
  readonly refusals: Refusals
}

/**
 * Reads the files of a section whose fields may be invalid. Adds problems to `refusals` and then returns `undefined`.
 *
 * @throws {Error} from Node, for other failures.
 */
export async function loadAuthFiles(
  section: Sound<AuthSection>,
  { root, file, files, refusals }: LoadAuthOptions,
): Promise<AuthFiles | undefined> {
  const secrets = await readKeys(placedKeys(section, root), {
    files,
    directory: file.directory,
    report: (path, message) =>
      refusals.add([problemAt(root, ['auth', ...path], { code: 'conflict', message })]),
  })
  if (section.config === undefined) return undefined
  const config = nodeAt(root, 'auth', 'config')
  const document = await refusals.of(() => readAuthDocument(config, file, files))
  if (document === undefined) return undefined
  const { filename, path } = document
  const isDevelopment = nodeAt(root, 'auth', 'dev') !== undefined
  const configAt = (origin: string): LoadedAuthConfig => {
    const node = isDevelopment ? forDevelopment(document.node, origin) : document.node
    const config = decodeAuthConfig(node, { filename })
    if (section.pages === undefined) return config
    // With the pages, links of account recoveries and invitations lead to theirs.
    const base = `${config.http.public_origin}${config.http.base_path}`
    const withPages = [
      ['reset_password', `${base}/recovery?code={code}`] as const,
      ['invitation', `${base}/signup?x_invitation={code}`] as const,
    ].reduce((all, [name, page]) => withSetting(all, ['links', name], page), node)
    return decodeAuthConfig(withPages, { filename })
  }
  const loaded = await refusals.of(() => inDocument(document, () => configAt(anyOrigin)), path)
  if (loaded === undefined) return undefined
  await refusals.of(() => checkStrength(loaded))
  refusals.add(secretProblems(root, section.oauth?.keys() ?? [], loaded))
  const hasBotSecret = nodeAt(root, 'auth', 'bot_protection') !== undefined
  const hasHookSecret = nodeAt(root, 'auth', 'hook_secret') !== undefined
  const { passkeys, problems } = await findAuthNeeds(document, loaded, {
    hasBotSecret,
    hasHookSecret,
  })
  await refusals.of(() => refuseProblems(document, problems), path)
  const takesOrigin = isDevelopment && !namesOrigin(document.node)
  // The schema makes all of it, or nothing.
  const oidc = section.oidc as OidcSection | undefined
  if (takesOrigin && oidc?.issuer !== undefined) {
    const message = 'needs http.public_origin in the document, of which it is a part'
    refusals.add([problemAt(root, ['auth', 'oidc', 'issuer'], { code: 'conflict', message })])
    return undefined
  }
  const found = oidc && oidcFindings(root, oidc, loaded.http)
  refusals.add(found?.problems ?? [])
  const oidcWarnings = found?.warnings ?? []
  return { filename, secrets, passkeys, configAt, takesOrigin, oidcWarnings }
}

/** `keys` may be a list or a single key. */
function placedKeys(
  { keys = [], key_file: file }: Sound<AuthSection>,
  root: ConfigNode,
): readonly PlacedKey[] {
  if (file !== undefined) return [{ file, path: ['key_file'], filePath: ['key_file'] }]
  const isList = nodeAt(root, 'auth', 'keys')?.kind === 'sequence'
  return keys.map((key, index) => {
    const path = isList ? ['keys', index] : ['keys']
    return { ...key, path, filePath: [...path, 'file'] }
  })
}

/** Combines a valid section with its files. */
export function loadedAuth(section: AuthSection, { secrets, ...files }: AuthFiles): LoadedAuth {
  const { smtp, sms, whatsapp, lists, events, hook, dev, oauth_client: client } = section
  return {
    ...files,
    oidc: section.oidc,
    settings: {
      secrets,
      smtp,
      sms,
      whatsapp,
      lists,
      maxBodyBytes: section.max_body_bytes,
      accountBasePath: section.account?.base_path,
      messages: section.messages,
      pages: section.pages,
      managesUsers: section.manage_users,
      events,
      hook,
      hookSecret: section.hook_secret,
      auditRetentionMs: section.audit_retention,
      leakedPasswords: section.leaked_passwords,
      isDevelopment: dev !== undefined,
      printCodes: dev?.print_codes ?? false,
    },
    portSettings: {
      credentials: Object.fromEntries(section.oauth),
      allowPrivateAddresses: client.allow_private_addresses,
      oauthTimeoutMs: client.timeout,
      botSecretKey: section.bot_protection?.secret_key,
      ldap: ldapOptions(section.ldap),
    },
  }
}

/** Higher levels need a password strength estimator. */
const freeLevel = 1

/** @throws {GatehouseError} `MissingPackage` if the password policy needs the strength estimator and it is not installed. */
async function checkStrength({ authenticator }: LoadedAuthConfig): Promise<void> {
  if (authenticator.password.policy.minimum_guessable_level <= freeLevel) return
  await createPasswordStrength()('a password to check that the estimator works')
}
