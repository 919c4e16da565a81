import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '../types.ts'

/** Options of the dialog of the browser. */
export interface PasskeyOptions {
  readonly signal?: AbortSignal
  /** `conditional`: offers passkeys in the autofill of a field with `autocomplete="username webauthn"`. */
  readonly mediation?: 'conditional'
}

/**
 * Lets the user choose a passkey. The result is the `assertion_response` of an input.
 *
 * @throws {DOMException} `NotAllowedError` if the user declines.
 * @see WebAuthn Level 3, section 5.1.4
 */
export async function usePasskey(
  request: PasskeyRequestOptions,
  options: PasskeyOptions = {},
): Promise<PasskeyAssertion> {
  const publicKey = { ...decoded(request), allowCredentials: handles(request.allowCredentials) }
  return (await runDialog('get', { publicKey, ...options })) as PasskeyAssertion
}

/**
 * Lets the user create a passkey. The result is the `creation_response` of an input.
 *
 * @throws {DOMException} `NotAllowedError` if the user declines, `InvalidStateError` if the device has one already.
 * @see WebAuthn Level 3, section 5.1.3
 */
export async function createPasskey(
  creation: PasskeyCreationOptions,
  options: Pick<PasskeyOptions, 'signal'> = {},
): Promise<PasskeyCreation> {
  const user = Object(creation.user) as { readonly id: string }
  const publicKey = {
    ...decoded(creation),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: handles(creation.excludeCredentials),
  }
  return (await runDialog('create', { publicKey, ...options })) as PasskeyCreation
}

interface Credential {
  readonly id: string
  readonly type: string
  readonly rawId: ArrayBuffer
  readonly authenticatorAttachment?: string | null
  readonly response: object
  getClientExtensionResults?(): object
}

/** Members of responses, and how they are in JSON. Some are getters of the prototype. */
const members = [
  'clientDataJSON',
  'authenticatorData',
  'signature',
  'userHandle',
  'attestationObject',
]

async function runDialog(method: 'get' | 'create', options: object): Promise<unknown> {
  const { navigator } = globalThis as unknown as {
    navigator: {
      credentials: Record<'get' | 'create', (options: object) => Promise<Credential | null>>
    }
  }
  const credential = await navigator.credentials[method](options)
  if (credential === null) throw new TypeError('the browser returned no passkey')
  const { id, type, rawId, authenticatorAttachment, response } = credential
  const encoded = members.flatMap((name) => {
    const value: unknown = Reflect.get(response, name)
    return value instanceof ArrayBuffer ? [[name, textOf(value)] as const] : []
  })
  const transports = (response as { getTransports?(): readonly string[] }).getTransports?.()
  return {
    id,
    type,
    rawId: textOf(rawId),
    ...(authenticatorAttachment ? { authenticatorAttachment } : {}),
    response: { ...Object.fromEntries(encoded), ...(transports ? { transports } : {}) },
    clientExtensionResults: credential.getClientExtensionResults?.() ?? {},
  }
}

const decoded = (options: PasskeyRequestOptions | PasskeyCreationOptions): object => ({
  ...options,
  challenge: bytesOf(options.challenge),
})

/** Credentials with their ids in bytes. */
function handles(list: unknown): readonly object[] | undefined {
  if (!Array.isArray(list)) return undefined
  return list.map((one: { readonly id: string }) => ({ ...one, id: bytesOf(one.id) }))
}

/** Decodes base64url. */
function bytesOf(text: string): Uint8Array {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** Encodes base64url. */
function textOf(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}
