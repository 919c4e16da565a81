import { isLocal, type ListenPlace } from './listen-address.ts'

/** What is known of a server that is about to run commands for whoever has a token. */
export interface Surroundings {
  readonly processId: number
  /** `undefined` where users have no number. */
  readonly userId: number | undefined
  readonly places: readonly ListenPlace[]
  readonly isSecure: boolean
  readonly configFile: string
  /** The permissions of the configuration file. */
  readonly configMode: number
  readonly holdsLiteralSecrets: boolean
}

const readableByOthers = 0o004

/** What the person who starts it may not have thought of, a sentence each. */
export function startWarnings(given: Surroundings): readonly string[] {
  const { processId, userId, places, isSecure } = given
  const warnings: string[] = []
  if (processId === 1) {
    warnings.push(
      'this is process 1, which must reap what others leave behind: start it by an init, as with `docker run --init`',
    )
  }
  if (userId === 0) warnings.push('commands run as root: start the server as a user of its own')
  if (given.holdsLiteralSecrets) warnings.push(...literalSecretsWarning(given))
  if (!isSecure && !places.every(isLocal)) {
    warnings.push(
      'TLS is off, and tokens travel as they are: serve it, or listen on 127.0.0.1 behind a proxy that does',
    )
  }
  return warnings
}

/** What to say of a file with secrets in it, if anything. */
export function literalSecretsWarning({
  configFile,
  configMode,
}: Pick<Surroundings, 'configFile' | 'configMode'>): readonly string[] {
  if ((configMode & readableByOthers) === 0) return []
  return [
    `${configFile} holds secrets and everybody can read it: chmod o-r, or take them from outside as \${env:NAME}`,
  ]
}
