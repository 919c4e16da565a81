import type { Logger, Storage } from '@gatehouse/core'
import { type AuthContext, createAuth, type LoadedAuthConfig } from '@gatehouse/core/auth'
import { createPasswordStrength } from '@gatehouse/core/password-strength'
import type { OidcProvider } from '@gatehouse/oidc'
import { anyOrigin } from '../auth/development.ts'
import { loadPhoneNumbers } from '../auth/phone-numbers.ts'
import { createAuthPorts, createLastingPorts } from '../auth/ports.ts'
import { chooseConfigFile } from '../config/choose-config-file.ts'
import { createReadFiles } from '../config/read-files.ts'
import { writeErrorLine } from '../log/line-writer.ts'
import { openStorage, type StorageChoice } from '../storage.ts'
import { loadApi } from './load-api.ts'

/** The auth service of a file, beside the servers that may run. */
export interface OpenedAuth {
  readonly auth: AuthContext
  readonly config: LoadedAuthConfig
  /** The authorization server of the file; `undefined` if it has none. */
  openOidc(): Promise<OidcProvider | undefined>
}

/** Options of {@link withAuth}. */
export interface WithAuthOptions {
  /** The file; `undefined` for the one that `gatehouse api` would take. */
  readonly file: string | undefined
  /** Opens the storage of the file (default: {@link openStorage}). */
  readonly open?: (choice: StorageChoice, options: { readonly logger: Logger }) => Storage
}

/**
 * Runs a command on the auth service of a `gatehouse api` file, and closes its storage. It sends nothing: events wait in the storage
 * for a server.
 *
 * @throws {Error} if the file has no section `auth`, or its storage is the memory of a server.
 */
export async function withAuth<T>(
  { file, open = openStorage }: WithAuthOptions,
  use: (opened: OpenedAuth) => Promise<T>,
): Promise<T> {
  const found = await chooseConfigFile(file)
  const { auth: loaded, storage: choice } = await loadApi(found.path, createReadFiles())
  if (loaded === undefined) throw new Error(`${found.path}: has no section auth`)
  const config = loaded.configAt(anyOrigin)
  if (choice.kind === 'memory') throw new Error(`${found.path}: the storage is in memory`)
  const { settings, portSettings, passkeys } = loaded
  const { secrets, lists, hookSecret, events } = settings
  const phoneNumbers = await loadPhoneNumbers()
  const logger = { debug() {}, info() {}, warn() {}, error: printError }
  const storage = open(choice, { logger })
  try {
    const auth = createAuth({
      storage,
      logger,
      config: () => config,
      secrets,
      lists,
      ...createLastingPorts(createAuthPorts(config, portSettings, passkeys)).ports,
      passwordStrength: createPasswordStrength(),
      ...(phoneNumbers === undefined ? {} : { phoneNumbers }),
      ...(hookSecret === undefined ? {} : { hookSecret }),
      ...(events.length === 0 ? {} : { onEvent: () => Promise.reject(new Error('not here')) }),
    })
    return await use({
      auth,
      config,
      async openOidc() {
        if (loaded.oidc === undefined) return undefined
        const { createOidcProvider } = await import('@gatehouse/oidc')
        return createOidcProvider({ auth, ...loaded.oidc })
      },
    })
  } finally {
    await storage.close()
  }
}

/** Errors of the storage; the fields may hold data of users. */
const printError = (_fields: object, message: string): void => writeErrorLine(`${message}\n`)
