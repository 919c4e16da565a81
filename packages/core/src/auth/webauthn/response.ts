import { z } from 'zod'

/** What `navigator.credentials.create()` answers, in JSON, as far as it is read. */
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

/** What `navigator.credentials.get()` answers, in JSON, as far as it is read. */
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

/** Base64url without padding, in characters at most. */
const base64url = (longest: number): z.ZodType<string> =>
  z
    .string()
    .max(longest)
    .regex(/^[\w-]+$/)

/** Far more than any authenticator has to say, also with its certificates. */
const binary = base64url(65_536)

/** Of 1023 bytes at most. @see WebAuthn Level 3, section 7.1 */
const credentialId = base64url(1364)

/** Those a browser does not know it passes over; more than a few there are not. */
const transports: z.ZodType<string[]> = z
  .array(z.string().regex(/^[a-z][a-z-]{0,31}$/))
  .max(16)
  .transform((names) => [...new Set(names)])

const isOfOneId = ({ id, rawId }: { id: string; rawId: string }): boolean => id === rawId

/** @see WebAuthn Level 3, section 5.1, `RegistrationResponseJSON` */
export const creationResponseSchema: z.ZodType<CreationResponse> = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: binary,
      attestationObject: binary,
      transports: transports.default([]),
    }),
  })
  .refine(isOfOneId)

/** @see WebAuthn Level 3, section 5.1, `AuthenticationResponseJSON` */
export const assertionResponseSchema: z.ZodType<AssertionResponse> = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: binary, authenticatorData: binary, signature: binary }),
  })
  .refine(isOfOneId)
