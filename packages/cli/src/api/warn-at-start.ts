import type { Logger } from '@gatehouse/core'
import { portWarnings } from '@gatehouse/core/auth'
import { developmentOrigin } from '../auth/development.ts'
import { type AuthSurroundings, authWarnings, providedPorts } from '../auth/warnings.ts'
import type { InheritedSockets } from '../server/inherited-sockets.ts'
import {
  literalSecretsWarning,
  openAlertsWarning,
  socketWarnings,
  startWarnings,
} from '../server/start-warnings.ts'
import { servesWebhooks } from './api-config.ts'
import type { LoadedApi } from './load-api.ts'

/** The facts about the server that warnings depend on besides its file. */
type ServerSurroundings = Pick<AuthSurroundings, 'places' | 'isSecure' | 'knowsPhones'> & {
  readonly sockets: InheritedSockets
}

/**
 * Logs warnings for the person who starts the server, each once.
 *
 * @returns those about the server, and those that the services log, but not those about files, which may change.
 */
export function warnAtStart(
  loaded: LoadedApi,
  surroundings: ServerSurroundings,
  logger: Logger,
): readonly string[] {
  const { config, storage } = loaded
  if (servesWebhooks(config) && config.storage === undefined) {
    logger.info(
      { storage: storage.kind },
      'no storage is configured: records of runs are lost when the server stops',
    )
  }
  const howTo = 'set access, or basic_auth_users in web_config, or listen on 127.0.0.1'
  const warnings = [
    ...socketWarnings(surroundings.sockets, surroundings.places),
    ...(config.alerts === undefined
      ? []
      : openAlertsWarning(loaded.rules, surroundings.places, howTo)),
    ...ofAuth(loaded, surroundings),
    ...ofWebhooks(loaded, surroundings),
  ]
  const unique = [...new Set(warnings)]
  for (const warning of unique) logger.warn({}, warning)
  return [...unique, ...ofPorts(loaded, surroundings)]
}

/** The warnings that the service logs when it is created. */
function ofPorts({ auth }: LoadedApi, surroundings: ServerSurroundings): readonly string[] {
  if (auth === undefined) return []
  const { places, isSecure, knowsPhones } = surroundings
  const config = auth.configAt(developmentOrigin(places, isSecure))
  return portWarnings(config, providedPorts({ settings: auth.settings, knowsPhones }))
}

function ofAuth(
  { file, fileMode, config, auth }: LoadedApi,
  surroundings: ServerSurroundings,
): readonly string[] {
  if (auth === undefined) return []
  const { places, isSecure } = surroundings
  return authWarnings({
    ...surroundings,
    trustedProxies: config.server.trusted_proxies,
    config: auth.configAt(developmentOrigin(places, isSecure)),
    settings: auth.settings,
    portSettings: auth.portSettings,
    oidcWarnings: auth.oidcWarnings,
    holdsLiteralSecrets: config.webhooks.holdsLiteralSecrets,
    configFile: file.filename,
    configMode: fileMode,
  })
}

function ofWebhooks(
  { file, fileMode, partModes, config }: LoadedApi,
  { places, isSecure }: ServerSurroundings,
): readonly string[] {
  if (!servesWebhooks(config)) return []
  const ofParts = config.webhooks.parts.flatMap(({ filename, holdsLiteralSecrets }, index) => {
    const configMode = partModes[index] ?? 0
    return holdsLiteralSecrets ? literalSecretsWarning({ configFile: filename, configMode }) : []
  })
  const ofFile = startWarnings({
    processId: process.pid,
    userId: process.getuid?.(),
    places,
    isSecure,
    configFile: file.filename,
    configMode: fileMode,
    holdsLiteralSecrets: config.webhooks.holdsLiteralSecrets,
  })
  return [...ofFile, ...ofParts]
}
