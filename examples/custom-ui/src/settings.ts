import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LoadedAuthConfig, readAuthConfig } from '@gatehouse/core/auth'

/** How to run the server, from the environment. */
export interface Settings {
  /** The address to listen on. Port 0 lets the system choose one. */
  readonly host: string
  readonly port: number
  /** The public address; `undefined` in development, where it is `localhost` and the port. */
  readonly publicOrigin: string | undefined
  /** A file in the format of `authgear.yaml`. */
  readonly configFile: string
  readonly databaseFile: string
  /** The key that seals users' data. */
  readonly key: string
  /** Whether identity providers may be on this machine or in its network, without TLS. */
  readonly allowPrivateAddresses: boolean
  /** Whether only the developer reads the log. */
  readonly isDevelopment: boolean
}

/** An environment, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

const ownConfigFile = fileURLToPath(new URL('../authgear.yaml', import.meta.url))
const shortestKey = 32

/** @throws {RangeError} with the name of an invalid variable. */
export function readSettings(environment: Environment): Settings {
  const given = (name: string): string | undefined => environment[name] || undefined
  const flag = (name: string): boolean => {
    const value = given(name) ?? 'false'
    if (value !== 'true' && value !== 'false') {
      throw new RangeError(`${name} must be true or false, got "${value}"`)
    }
    return value === 'true'
  }
  const port = given('PORT') ?? '3000'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new RangeError(`PORT must be a number from 0 to 65535, got "${port}"`)
  }
  const key = given('AUTH_KEY') ?? ''
  if (Buffer.byteLength(key) < shortestKey) {
    throw new RangeError(
      `AUTH_KEY must have ${shortestKey} bytes or more, as \`openssl rand -base64 32\` makes them`,
    )
  }
  return {
    host: given('HOST') ?? '127.0.0.1',
    port: Number(port),
    publicOrigin: given('PUBLIC_ORIGIN'),
    configFile: given('AUTH_CONFIG') ?? ownConfigFile,
    databaseFile: given('AUTH_DATABASE') ?? 'people.db',
    key,
    allowPrivateAddresses: flag('OAUTH_ALLOW_PRIVATE_ADDRESSES'),
    isDevelopment: given('NODE_ENV') !== 'production',
  }
}

/**
 * Reads the configuration of a file, in which `${PUBLIC_ORIGIN}` stands for this origin.
 *
 * @throws {GatehouseError} `InvalidConfig`
 */
export function readConfig(file: string, origin: string): LoadedAuthConfig {
  const text = readFileSync(file, 'utf8').replace(/\$\{PUBLIC_ORIGIN\}/g, () => origin)
  return readAuthConfig({ text, filename: basename(file) })
}

/** The client secrets for identity providers, from variables such as `OAUTH_CLIENT_SECRET_MY_IDP` for the alias `my-idp`. */
export interface ClientSecrets {
  /** By the alias of a provider. */
  readonly credentials: Readonly<Record<string, { readonly clientSecret: string }>>
  /** The variables that are not set. */
  readonly missing: readonly string[]
}

export function readClientSecrets(
  environment: Environment,
  { identity }: LoadedAuthConfig,
): ClientSecrets {
  const secrets = identity.oauth.providers.map(({ alias }) => {
    const name = `OAUTH_CLIENT_SECRET_${alias.toUpperCase().replace(/[^A-Z\d]/g, '_')}`
    return { alias, name, clientSecret: environment[name] ?? '' }
  })
  const isSet = ({ clientSecret }: { clientSecret: string }): boolean => clientSecret !== ''
  return {
    credentials: Object.fromEntries(
      secrets.filter(isSet).map(({ alias, clientSecret }) => [alias, { clientSecret }]),
    ),
    missing: secrets.filter((one) => !isSet(one)).map(({ name }) => name),
  }
}
