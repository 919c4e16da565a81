import { createPrivateKey, type KeyObject } from 'node:crypto'
import {
  type ConfigKind,
  childPlace,
  type DecodePlace,
  flag,
  mapOf,
  reportCheck,
} from '@gatehouse/core/config'
import type { OAuthCredentials } from '@gatehouse/core/oauth'
import { duration } from '../config/config-file.ts'
import { secretMapping, section } from '../config/config-section.ts'
import {
  type Outside,
  outsideFile,
  outsideText,
  type PlacedText,
  placedText,
  reportText,
} from '../config/outside-text.ts'

/** What shows an identity provider who asks, as it stands in the section `oauth`. */
export interface OAuthSecretSection {
  /** Of the provider: the key it stands at. */
  readonly alias: PlacedText
  readonly client_secret: PlacedText | undefined
  /** Of Apple: a key that secrets are signed with, as PEM. */
  readonly private_key: PlacedText | undefined
  /** Path of a file that holds one. */
  readonly private_key_file: PlacedText | undefined
}

type Secrets = Omit<OAuthSecretSection, 'alias'>

const shape = `{ client_secret: "\${env:NAME}" }`

const secretsByAlias = secretMapping(
  mapOf<Secrets>(
    secretMapping(
      section<Secrets>({
        typeName: 'provider',
        fields: {
          client_secret: { kind: placedText },
          private_key: { kind: placedText },
          private_key_file: { kind: placedText },
        },
      }),
      shape,
    ),
    'providers',
  ),
  `{ ALIAS: ${shape} }`,
)

/** How the section `oauth` is read: secrets by the alias of a provider. */
export const oauthSection: ConfigKind<readonly OAuthSecretSection[]> = {
  typeName: 'oauth',
  zero: [],
  encode: () => undefined,
  decode(place) {
    const before = problemCount(place)
    const secrets = secretsByAlias.decode(place)
    const isSound = problemCount(place) === before
    return [...secrets].map(([written, given]) => {
      const keyPlace = placeOfKey(place, written)
      if (isSound) checkSecrets(given, keyPlace)
      const { path, node } = keyPlace
      return { ...given, alias: { written, path, line: node.line, column: node.column } }
    })
  },
}

const problemCount = ({ decoding: { structure, checks } }: DecodePlace): number =>
  structure.length + checks.length

/** One that is merged in from elsewhere has no place here. */
function placeOfKey(place: DecodePlace, name: string): DecodePlace {
  const entries = place.node.kind === 'mapping' ? place.node.entries : []
  const entry = entries.find(({ key }) => key.kind === 'scalar' && key.text === name)
  return childPlace(place, entry?.key ?? place.node, name)
}

function checkSecrets(given: Secrets, place: DecodePlace): void {
  const { client_secret: secret, private_key: key, private_key_file: file } = given
  const count = [secret, key, file].filter((one) => one !== undefined).length
  if (count === 1) return
  const choices = 'client_secret, or of apple private_key or private_key_file'
  reportCheck(place, count === 0 ? `needs a ${choices}` : `either ${choices}`)
}

/** Reads the secrets; what is wrong with them is noted, and never quoted. */
export async function readOAuthSecrets(
  given: readonly OAuthSecretSection[],
  outside: Outside,
): Promise<Readonly<Record<string, OAuthCredentials>>> {
  const found: [string, OAuthCredentials][] = []
  for (const one of given) {
    const credentials = await readSecret(one, outside)
    if (credentials !== undefined) found.push([one.alias.written, credentials])
  }
  return Object.fromEntries(found)
}

async function readSecret(
  { client_secret: secret, private_key: key, private_key_file: file }: OAuthSecretSection,
  outside: Outside,
): Promise<OAuthCredentials | undefined> {
  if (secret !== undefined) {
    const clientSecret = outsideText(outside, secret)
    return clientSecret === undefined ? undefined : { clientSecret }
  }
  const place = key ?? file
  if (place === undefined) return undefined
  const written =
    key === undefined ? await outsideFile(outside, place) : outsideText(outside, place)
  if (written === undefined) return undefined
  const privateKey = written.trim()
  if (isSigningKey(privateKey)) return { privateKey }
  reportText(outside, place, 'is no key of P-256 in PKCS #8, as PEM: -----BEGIN PRIVATE KEY-----')
  return undefined
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
export const oauthClientSection: ConfigKind<OAuthClientSection> = section<OAuthClientSection>({
  typeName: 'oauth_client',
  fields: {
    allow_private_addresses: { kind: flag },
    timeout: { kind: duration, default: 10_000 },
  },
  check({ timeout }, report) {
    if (timeout < 100 || timeout > 60_000) report('timeout is from 100ms to 1m', 'timeout')
  },
})
