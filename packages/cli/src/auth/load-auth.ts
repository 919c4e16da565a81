import {
  decodeAuthConfig,
  type EventWebhookOptions,
  type LoadedAuthConfig,
  type LoginIdLists,
  type SecretKey,
} from '@gatehouse/core/auth'
import { type ConfigNode, nodeAt, problemAt, type Sound } from '@gatehouse/core/document'
import type { Passkeys } from '@gatehouse/core/passkeys'
import { createPasswordStrength } from '@gatehouse/core/password-strength'
import type { TextFile } from '../config/config-file.ts'
import type { ReadFiles } from '../config/read-files.ts'
import type { Refusals } from '../config/refusals.ts'
import type { SenderSettings } from '../senders/create-senders.ts'
import { forDevelopment, namesOrigin } from './development.ts'
import { inDocument, readAuthDocument, refuseProblems } from './document.ts'
import { type PlacedKey, readKeys } from './keys.ts'
import { findAuthNeeds } from './needs.ts'
import type { AuthPortSettings } from './ports.ts'
import { secretProblems } from './providers.ts'
import type { AuthSection } from './section.ts'

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
}

/** The document and the keys that the section `auth` names, read and checked. */
interface AuthFiles {
  /** The file that holds the document. */
  readonly filename: string
  readonly secrets: readonly SecretKey[]
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

/** The section `auth` and the files it names, read and checked. */
export interface LoadedAuth extends Omit<AuthFiles, 'secrets'> {
  readonly settings: AuthSettings
  /** What comes into force with the document. */
  readonly portSettings: AuthPortSettings
}

/** Options of {@link loadAuth}. */
export interface LoadAuthOptions {
  /** The nodes of the file of the section, without the empty ones. */
  readonly root: ConfigNode
  /** The file of the section. */
  readonly file: TextFile
  readonly files: ReadFiles
  /** Takes what is wrong. */
  readonly refusals: Refusals
}

/** For a look at whether a document is good. */
export const anyOrigin = 'http://localhost'

/**
 * Reads the files that a section names, as far as it is sound. What is wrong is noted in `refusals`, with nothing to answer then.
 *
 * @throws {Error} of Node, for what is no fault of the files.
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
    return decodeAuthConfig(node, { filename })
  }
  const loaded = await refusals.of(() => inDocument(document, () => configAt(anyOrigin)), path)
  if (loaded === undefined) return undefined
  await refusals.of(() => checkStrength(loaded))
  refusals.add(secretProblems(root, section.oauth?.keys() ?? [], loaded))
  const hasBotSecret = nodeAt(root, 'auth', 'bot_protection') !== undefined
  const { passkeys, problems } = await findAuthNeeds(document, loaded, hasBotSecret)
  await refusals.of(() => refuseProblems(document, problems), path)
  const takesOrigin = isDevelopment && !namesOrigin(document.node)
  return { filename, secrets, passkeys, configAt, takesOrigin }
}

/** Keys may be a list, or one that is not in a list. */
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

/** A section that is good, with its files. */
export function loadedAuth(section: AuthSection, { secrets, ...files }: AuthFiles): LoadedAuth {
  const { smtp, sms, whatsapp, lists, events, hook, dev, oauth_client: client } = section
  return {
    ...files,
    settings: {
      secrets,
      smtp,
      sms,
      whatsapp,
      lists,
      maxBodyBytes: section.max_body_bytes,
      accountPath: section.account_path === '' ? undefined : section.account_path,
      events,
      hook,
      isDevelopment: dev !== undefined,
      printCodes: dev?.print_codes ?? false,
    },
    portSettings: {
      credentials: Object.fromEntries(section.oauth),
      allowPrivateAddresses: client.allow_private_addresses,
      oauthTimeoutMs: client.timeout,
      botSecretKey: section.bot_protection?.secret_key,
    },
  }
}

/** The levels above it need what rates passwords. */
const freeLevel = 1

/** @throws {GatehouseError} `MissingPackage` if passwords must be rated, and what does it is not installed. */
async function checkStrength({ authenticator }: LoadedAuthConfig): Promise<void> {
  if (authenticator.password.policy.minimum_guessable_level <= freeLevel) return
  await createPasswordStrength()('a password to see whether it can be rated')
}
