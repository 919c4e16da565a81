import { refusalFields } from '../errors.ts'
import { portWarnings } from './config/checks/port-warnings.ts'
import type { LoadedAuthConfig } from './config/config.ts'
import type { AuthConfigSource } from './config/read-auth-config.ts'
import type { AuthContext } from './context.ts'

/**
 * Replaces the running configuration in one step. Running flows keep the steps they began with; everything else, such as limits
 * and policies, changes at once. A change of `id` or `http.base_path` is ignored with a warning.
 *
 * @throws {GatehouseError} `InvalidConfig`, with every problem in `info.problems`; `InvalidInput` if it needs an option that
 * `createAuth` was not given, such as `passwordStrength`. The running configuration stays.
 */
export function updateAuthConfig(auth: AuthContext, source: AuthConfigSource): void {
  const { config, logger } = auth
  let next: LoadedAuthConfig
  try {
    next = auth.readConfig(source)
  } catch (error) {
    logger.error(refusalFields(error), 'configuration refused')
    throw error
  }
  logWarnings(auth, next)
  const { id, http } = config.current
  for (const [key, before, now] of [
    ['id', id, next.id],
    ['http.base_path', http.base_path, next.http.base_path],
  ]) {
    if (before !== now) logger.warn({ key }, 'a change of this key needs a restart')
  }
  config.current = { ...next, id, http: { ...next.http, base_path: http.base_path } }
  logger.info({ clients: next.oauth.clients.length }, 'configuration loaded')
}

/** Logs the probable mistakes of a configuration that is about to take effect. */
export function logWarnings(auth: AuthContext, config: LoadedAuthConfig): void {
  for (const warning of [...config.warnings, ...portWarnings(config, auth)]) {
    auth.logger.warn({}, warning)
  }
}
