import { processWarnings } from '@gatehouse/core/webhook'
import type { InheritedSockets } from './inherited-sockets.ts'
import { isLocal, type ListenPlace } from './listen-address.ts'
import type { GuardRules } from './web-guard.ts'

/** Facts about a server that is about to run commands for any sender with a token. */
export interface Surroundings {
  readonly processId: number
  /** `undefined` if the system has no user ids. */
  readonly userId: number | undefined
  readonly places: readonly ListenPlace[]
  readonly isSecure: boolean
  readonly configFile: string
  /** The permissions of the configuration file. */
  readonly configMode: number
  readonly holdsLiteralSecrets: boolean
}

/** Warnings about the sockets of a service manager, for a server that listens at `places`. */
export function socketWarnings(
  sockets: InheritedSockets,
  places: readonly ListenPlace[],
): readonly string[] {
  const unused = sockets.places.filter((socket) => !places.includes(socket))
  if (unused.length === 0) return sockets.warnings
  return [
    ...sockets.warnings,
    'the sockets of the service manager (LISTEN_FDS) are not used, because a flag says where to listen',
  ]
}

const readableByOthers = 0o004

/** Probable mistakes of the operator, one sentence each. */
export function startWarnings(given: Surroundings): readonly string[] {
  const { processId, userId, places, isSecure } = given
  const warnings = [
    ...processWarnings({
      pid: processId,
      ...(userId !== undefined && { getuid: () => userId }),
    }),
  ]
  if (given.holdsLiteralSecrets) warnings.push(...literalSecretsWarning(given))
  if (!isSecure && !places.every(isLocal)) {
    warnings.push(
      'TLS is off, so tokens are sent unencrypted: set tls, or listen on 127.0.0.1 behind a proxy with TLS, with its name in allowed_hosts',
    )
  }
  return warnings
}

/**
 * A warning about alerts that any client in the network may silence.
 *
 * @param howTo names the settings that prevent it.
 */
export function openAlertsWarning(
  { signIn, access, tls }: Pick<GuardRules, 'signIn' | 'access' | 'tls'>,
  places: readonly ListenPlace[],
  howTo: string,
): readonly string[] {
  const isGuarded = (signIn ?? access) !== undefined || tls?.rejectUnauthorized === true
  if (isGuarded || places.every(isLocal)) return []
  return [`any client that can reach this server may post alerts and silence them: ${howTo}`]
}

/** A warning about a file with secrets that all users of the machine can read, if it is one. */
export function literalSecretsWarning({
  configFile,
  configMode,
}: Pick<Surroundings, 'configFile' | 'configMode'>): readonly string[] {
  if ((configMode & readableByOthers) === 0) return []
  return [
    `${configFile} contains secrets and every user can read it: run chmod o-r, or refer to them as \${env:NAME}`,
  ]
}
