import * as z from 'zod/mini'

/** The members of the result of `navigator.credentials.create()` that are read, in JSON. */
export interface CreationResponse {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports: readonly string[]
  }
}

/** The members of the result of `navigator.credentials.get()` that are read, in JSON. */
export interface AssertionResponse {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

/** Base64url without padding, with a maximum length in characters. */
const base64url = (longest: number): z.ZodMiniType<string> =>
  z.string().check(z.maxLength(longest), z.regex(/^[\w-]+$/))

/** Far more than any authenticator sends, certificates included. */
const binary = base64url(65_536)

/** At most 1023 bytes. @see WebAuthn Level 3, section 7.1 */
const credentialId = base64url(1364)

/** Browsers ignore unknown transports. The list is limited because only a few exist. */
const transports: z.ZodMiniType<string[]> = z.pipe(
  z.array(z.string().check(z.regex(/^[a-z][a-z-]{0,31}$/))).check(z.maxLength(16)),
  z.transform((names: string[]) => [...new Set(names)]),
)

const isOfOneId = ({ id, rawId }: { id: string; rawId: string }): boolean => id === rawId

/** @see WebAuthn Level 3, section 5.1, `RegistrationResponseJSON` */
export const creationResponseSchema: z.ZodMiniType<CreationResponse> = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: binary,
      attestationObject: binary,
      transports: z._default(transports, []),
    }),
  })
  .check(z.refine(isOfOneId))

/** @see WebAuthn Level 3, section 5.1, `AuthenticationResponseJSON` */
export const assertionResponseSchema: z.ZodMiniType<AssertionResponse> = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: binary, authenticatorData: binary, signature: binary }),
  })
  .check(z.refine(isOfOneId))
