import { createPrivateKey, type KeyObject } from 'node:crypto'
import {
  built,
  checked,
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
import { duration, fileText } from '../config/kinds.ts'

/** What shows an identity provider who asks: one of these. */
interface OAuthSecretSection {
  readonly client_secret: string | undefined
  /** Of Apple: a key that secrets are signed with, as PEM. */
  readonly private_key: string | undefined
  /** What the file holds. */
  readonly private_key_file: string | undefined
}

const parts = mapping<OAuthSecretSection>(
  {
    client_secret: optional(secretText, 'The secret that the provider gave.'),
    private_key: optional(
      built(secretText, signingKey),
      'Of the type `apple`: the key that `key_id` names, of P-256 in PKCS #8, as PEM.',
    ),
    private_key_file: optional(built(fileText, signingKey), 'A file that holds this key.'),
  },
  { title: 'OAuthSecret' },
)

const secret: Schema<OAuthCredentials> = built(
  checked(parts, ({ value, isBroken, reportKey }) => {
    const all = ['client_secret', 'private_key', 'private_key_file'] as const
    const count = all.filter((key) => value[key] !== undefined || isBroken(key)).length
    const choices = 'client_secret, or of apple private_key or private_key_file'
    if (count === 0) reportKey([], 'required', `needs ${choices}`)
    if (count > 1) reportKey([], 'conflict', `either ${choices}`)
  }),
  ({ client_secret: clientSecret, private_key: key, private_key_file: file }) =>
    clientSecret === undefined ? { privateKey: key ?? file ?? '' } : { clientSecret },
)

const alias = keyOf((written, report) =>
  written === '<<' ? report('unknown_key', 'YAML 1.2 has no merge keys') : written,
)

/** How the section `oauth` is read: secrets by the alias of a provider. */
export const oauthSection: Schema<ReadonlyMap<string, OAuthCredentials>> = mapOf(alias, secret)

function signingKey(written: string, report: Report): string | undefined {
  const pem = written.trim()
  if (isSigningKey(pem)) return pem
  const expected = 'a key of P-256 in PKCS #8, as PEM: -----BEGIN PRIVATE KEY-----'
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

/** The section `oauth_client`: how identity providers are asked. */
export interface OAuthClientSection {
  /** Whether they may be on this machine, in its network and behind plain HTTP. */
  readonly allow_private_addresses: boolean
  /** How long an answer may take, in ms. */
  readonly timeout: number
}

/** How the section `oauth_client` is read. */
export const oauthClientSection: Schema<OAuthClientSection> = mapping<OAuthClientSection>(
  {
    allow_private_addresses: withDefault(
      flag,
      false,
      'Whether providers may be on this machine, in its network and behind plain `http`. With it whoever can write the discovery document of a provider can have any host of the network asked.',
    ),
    timeout: withDefault(duration(100, 60_000), '10s', 'How long an answer may take.'),
  },
  { title: 'OAuthClient' },
)
