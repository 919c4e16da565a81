import { z } from 'zod'
import type { ProviderSite } from './endpoints.ts'
import type { JsonObject } from './json-object.ts'

interface DiscoveryDocument {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly jwks_uri: string
  readonly userinfo_endpoint?: string | undefined
  readonly response_modes_supported?: readonly string[] | undefined
  readonly prompt_values_supported?: readonly string[] | undefined
  readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined
  readonly authorization_response_iss_parameter_supported?: boolean | undefined
}

/** A site as a discovery document describes it. */
export interface DiscoveredSite extends ProviderSite {
  readonly issuer: string
  readonly jwks: string
}

const texts = z.array(z.string()).optional()

const documentSchema: z.ZodType<DiscoveryDocument> = z.object({
  issuer: z.string().min(1),
  authorization_endpoint: z.string().min(1),
  token_endpoint: z.string().min(1),
  jwks_uri: z.string().min(1),
  userinfo_endpoint: z.string().min(1).optional(),
  response_modes_supported: texts,
  prompt_values_supported: texts,
  token_endpoint_auth_methods_supported: texts,
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})

/**
 * What a discovery document says; `undefined` if something that is needed is missing or no text.
 *
 * @see OpenID Connect Discovery 1.0, section 3
 */
export function readDocument(document: JsonObject): DiscoveredSite | undefined {
  const { data } = documentSchema.safeParse(document)
  if (data === undefined) return undefined
  return {
    issuer: data.issuer,
    authorization: data.authorization_endpoint,
    token: data.token_endpoint,
    jwks: data.jwks_uri,
    ...(data.userinfo_endpoint === undefined ? {} : { userInfo: data.userinfo_endpoint }),
    metadata: {
      responseModes: data.response_modes_supported,
      prompts: data.prompt_values_supported,
      clientAuthentications: data.token_endpoint_auth_methods_supported,
      namesItself: data.authorization_response_iss_parameter_supported,
    },
  }
}
