import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import * as z from 'zod/mini'
import type { Json } from '../../storage/storage.ts'

/** Options of {@link createSoftwareAuthenticator}. */
export interface SoftwareAuthenticatorOptions {
  /** The origin of the page. */
  readonly origin: string
  /** The relying party that it signs for, regardless of the request; a browser would check it against the origin. */
  readonly rpId: string
  /** Whether it verifies the user (default true). */
  readonly isUserVerified?: boolean
  /** Whether it counts its uses (default true). */
  readonly isCounting?: boolean
}

/** A `creation_response`. */
export type SoftwareCreation = {
  readonly id: string
  readonly type: 'public-key'
  readonly rawId: string
  readonly response: {
    readonly attestationObject: string
    readonly clientDataJSON: string
    readonly transports: readonly string[]
  }
  readonly clientExtensionResults: { readonly credProps: { readonly rk: boolean } }
}

/** An `assertion_response`. */
export type SoftwareAssertion = {
  readonly id: string
  readonly type: 'public-key'
  readonly rawId: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle: string
  }
  readonly clientExtensionResults: { readonly [name: string]: never }
}

/** A browser with an authenticator that keeps discoverable passkeys in memory. */
export interface SoftwareAuthenticator {
  /** Creates a passkey. @throws {Error} if the options are malformed, or exclude a passkey of the authenticator. */
  create(creationOptions: Json): SoftwareCreation
  /** Uses the newest allowed passkey. @throws {Error} if the options are malformed, or it has none. */
  get(requestOptions: Json): SoftwareAssertion
}

interface Passkey {
  readonly id: string
  readonly userHandle: string
  readonly key: KeyObject
  count: number
}

const descriptors = z.array(z.object({ type: z.literal('public-key'), id: z.string() }))

const creationSchema = z.object({
  challenge: z.string(),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number() })),
  excludeCredentials: z._default(descriptors, []),
})

const requestSchema = z.object({ challenge: z.string(), allowCredentials: z.optional(descriptors) })

const flags = { userPresent: 0x01, userVerified: 0x04, attestedCredentialData: 0x40 }

/** An authenticator that needs no touch, with keys on P-256 and no attestation. @see WebAuthn Level 3, section 6 */
export function createSoftwareAuthenticator(
  options: SoftwareAuthenticatorOptions,
): SoftwareAuthenticator {
  const { origin, rpId, isUserVerified = true, isCounting = true } = options
  const passkeys: Passkey[] = []

  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  /** Counts one more use. */
  const authenticatorData = (passkey: Passkey, attested: Uint8Array): Buffer => {
    if (isCounting) passkey.count++
    const header = Buffer.alloc(5)
    header[0] =
      flags.userPresent +
      (isUserVerified ? flags.userVerified : 0) +
      (attested.length > 0 ? flags.attestedCredentialData : 0)
    header.writeUInt32BE(passkey.count, 1)
    return Buffer.concat([sha256(rpId), header, attested])
  }

  return {
    create(creationOptions) {
      const { challenge, user, pubKeyCredParams, excludeCredentials } =
        creationSchema.parse(creationOptions)
      if (!pubKeyCredParams.some(({ alg }) => alg === -7)) {
        throw new Error('NotSupportedError: the options allow no key on P-256')
      }
      if (passkeys.some(({ id }) => excludeCredentials.some((one) => one.id === id))) {
        throw new Error('InvalidStateError: the authenticator has an excluded passkey')
      }
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const credentialId = randomBytes(32)
      const id = base64url(credentialId)
      const passkey = { id, userHandle: user.id, key: privateKey, count: 0 }
      passkeys.unshift(passkey)
      const authData = authenticatorData(passkey, attestedData(credentialId, publicKey))
      return {
        id,
        type: 'public-key',
        rawId: id,
        response: {
          attestationObject: base64url(attestationObject(authData)),
          clientDataJSON: base64url(clientData('webauthn.create', challenge)),
          transports: ['internal'],
        },
        clientExtensionResults: { credProps: { rk: true } },
      }
    },

    get(requestOptions) {
      const { challenge, allowCredentials } = requestSchema.parse(requestOptions)
      const isAllowed = ({ id }: Passkey): boolean =>
        allowCredentials?.some((one) => one.id === id) ?? true
      const passkey = passkeys.find(isAllowed)
      if (passkey === undefined) {
        throw new Error('NotAllowedError: the authenticator has no allowed passkey')
      }
      const authData = authenticatorData(passkey, new Uint8Array())
      const data = clientData('webauthn.get', challenge)
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), passkey.key)
      return {
        id: passkey.id,
        type: 'public-key',
        rawId: passkey.id,
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          userHandle: passkey.userHandle,
        },
        clientExtensionResults: {},
      }
    },
  }
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** The model (none), the id with its length, and the key in COSE form. @see WebAuthn Level 3, section 6.5.1 */
function attestedData(credentialId: Uint8Array, publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.alloc(16),
    Buffer.from([credentialId.length >> 8, credentialId.length & 0xff]),
    credentialId,
    // { 1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y }, each of 32 bytes
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}

/** `{ "fmt": "none", "attStmt": {}, "authData": … }` in CBOR. @see WebAuthn Level 3, section 8.7 */
function attestationObject(authData: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from([0xa3]),
    cborText('fmt'),
    cborText('none'),
    cborText('attStmt'),
    Buffer.from([0xa0]),
    cborText('authData'),
    Buffer.from([0x59, authData.length >> 8, authData.length & 0xff]),
    authData,
  ])
}

/** A text of less than 24 bytes. @see RFC 8949, section 3.1 */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}
