import { createPrivateKey, type KeyObject } from 'node:crypto'
import {
  built,
  checked,
  duration,
  flag,
  keyOf,
  mapOf,
  mapping,
  optional,
  type Report,
  type Schema,
  secretText,
  withDefault,
} from '@gatehouse/core/document'
import type { OAuthCredentials } from '@gatehouse/core/oauth'
import { fileText } from '../config/kinds.ts'

/** The credentials of the client at an identity provider: set one. */
interface OAuthSecretSection {
  readonly client_secret: string | undefined
  /** For Apple: the private key for client secrets, as PEM. */
  readonly private_key: string | undefined
  /** The content of the file. */
  readonly private_key_file: string | undefined
}

const parts = mapping<OAuthSecretSection>(
  {
    client_secret: optional(secretText, 'The client secret from the provider.'),
    private_key: optional(
      built(secretText, signingKey),
      'For the type `apple`: the private key of `key_id`, P-256 in PKCS #8, as PEM.',
    ),
    private_key_file: optional(built(fileText, signingKey), 'A file that holds this private key.'),
  },
  { title: 'OAuthSecret' },
)

const secret: Schema<OAuthCredentials> = built(
  checked(parts, ({ value, isBroken, reportKey }) => {
    const all = ['client_secret', 'private_key', 'private_key_file'] as const
    const count = all.filter((key) => value[key] !== undefined || isBroken(key)).length
    const choices = 'client_secret, or for apple private_key or private_key_file'
    if (count === 0) reportKey([], 'required', `needs ${choices}`)
    if (count > 1) reportKey([], 'conflict', `either ${choices}`)
  }),
  ({ client_secret: clientSecret, private_key: key, private_key_file: file }) =>
    clientSecret === undefined ? { privateKey: key ?? file ?? '' } : { clientSecret },
)

const alias = keyOf((written, report) =>
  written === '<<' ? report('unknown_key', 'YAML 1.2 has no merge keys') : written,
)

/** The schema of the section `oauth`: credentials by provider alias. */
export const oauthSection: Schema<ReadonlyMap<string, OAuthCredentials>> = mapOf(alias, secret)

function signingKey(written: string, report: Report): string | undefined {
  const pem = written.trim()
  if (isSigningKey(pem)) return pem
  const expected = 'a P-256 key in PKCS #8, as PEM: -----BEGIN PRIVATE KEY-----'
  return report('out_of_range', `must be ${expected}`)
}

function isSigningKey(pem: string): boolean {
  if (!pem.startsWith('-----BEGIN PRIVATE KEY-----')) return false
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    return false
  }
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
}

/** The section `oauth_client`: how requests to identity providers are made. */
export interface OAuthClientSection {
  /** Whether providers may be on this machine, in its network, or served over plain HTTP. */
  readonly allow_private_addresses: boolean
  /** The timeout of a response, in ms. */
  readonly timeout: number
}

/** The schema of the section `oauth_client`. */
export const oauthClientSection: Schema<OAuthClientSection> = mapping<OAuthClientSection>(
  {
    allow_private_addresses: withDefault(
      flag,
      false,
      'Whether providers may be on this machine, in its network, or served over plain `http`. Then anyone who controls the discovery document of a provider can make this server request any host of the network.',
    ),
    timeout: withDefault(
      duration({ least: 100, most: 60_000 }),
      '10s',
      'The timeout of a response.',
    ),
  },
  { title: 'OAuthClient' },
)
