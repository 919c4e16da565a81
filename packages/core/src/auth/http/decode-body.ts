import type { Json } from '../../storage/storage.ts'
import type { AttributeChange } from '../accounts/user-profile.ts'
import type { AdvanceFlowParams } from '../flows/advance-flow.ts'
import type { CreateFlowParams } from '../flows/create-flow.ts'
import type { ImportedUser } from '../people/imported-user.ts'
import type { DisableUserOptions } from '../people/update-user.ts'
import { bodyDecoder, type DecodeBody } from '../schema/body-decoder.ts'
import type { NewApiKey } from '../tokens/create-api-key.ts'

const bodies = () => import('../api/bodies.ts')
const ofUsers = () => import('../api/users.ts')
const advanceFlow = async () => (await bodies()).advanceFlowBody

const decodeInputs = bodyDecoder<AdvanceFlowParams>(advanceFlow)
const decodeStateInputs = bodyDecoder<AdvanceFlowParams>(advanceFlow, ['state_token'])
const decodeProfile = bodyDecoder<{ attributes: readonly AttributeChange[] }>(
  async () => (await bodies()).profileChangesBody,
)

/** Decodes the parameters of a new flow. @throws {GatehouseError} `ValidationFailed` */
export const decodeCreateFlow: DecodeBody<CreateFlowParams> = bodyDecoder(
  async () => (await bodies()).createFlowBody,
)

/** Decodes the input for a state. @throws {GatehouseError} `ValidationFailed` */
export function decodeAdvanceFlow(body: Json): Promise<AdvanceFlowParams> {
  return bringsRecoveryCode(body) ? decodeInputs(body) : decodeStateInputs(body)
}

/** Only the code of a recovery link can do without a state. */
function bringsRecoveryCode(body: Json): boolean {
  const { input: single, batch_input: batch } = partsOf(body)
  const first = single ?? (Array.isArray(batch) ? batch[0] : undefined)
  return typeof partsOf(first).account_recovery_code === 'string'
}

function partsOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Decodes the token of the state to read. @throws {GatehouseError} `ValidationFailed` */
export const decodeGetFlowState: DecodeBody<{ state_token: string }> = bodyDecoder(
  async () => (await bodies()).getFlowStateBody,
)

/** Decodes profile changes; the operation checks the values. @throws {GatehouseError} `ValidationFailed` */
export const decodeProfileChanges: DecodeBody<readonly AttributeChange[]> = async (body) =>
  (await decodeProfile(body)).attributes

/** Decodes the code of the link to approve. @throws {GatehouseError} `ValidationFailed` */
export const decodeApproveLink: DecodeBody<{ code: string }> = bodyDecoder(
  async () => (await bodies()).approveLinkBody,
)

/** Decodes the records to import; each is checked when it is imported. @throws {GatehouseError} `ValidationFailed` */
export const decodeImportUsers: DecodeBody<{ readonly users: readonly ImportedUser[] }> =
  bodyDecoder(async () => (await ofUsers()).importedUsers)

/** What tokens are asked for with. */
export interface TokenRequest {
  readonly session_token?: string
  readonly refresh_token?: string
}

/** Decodes a request for tokens: it has one of the two. @throws {GatehouseError} `ValidationFailed` */
export const decodeTokenRequest: DecodeBody<TokenRequest> = bodyDecoder(
  async () => (await bodies()).tokenRequestBody,
)

/** Decodes the token whose session is to end. @throws {GatehouseError} `ValidationFailed` */
export const decodeRevokeTokens: DecodeBody<{ readonly refresh_token: string }> = bodyDecoder(
  async () => (await bodies()).revokeTokensBody,
)

/** Decodes the API key that a person makes. @throws {GatehouseError} `ValidationFailed` */
export const decodeNewApiKey: DecodeBody<NewApiKey> = bodyDecoder(
  async () => (await bodies()).newApiKeyBody,
)

/** Decodes a user to create, with the keys of the wire. @throws {GatehouseError} `ValidationFailed` */
export const decodeNewUser: DecodeBody<Json> = bodyDecoder(async () => (await ofUsers()).newUser)

/** Decodes an API key that an operator makes, with the keys of the wire. @throws {GatehouseError} `ValidationFailed` */
export const decodeOwnedApiKey: DecodeBody<Json> = bodyDecoder(
  async () => (await import('../api/tokens.ts')).newApiKey,
)

/** Decodes why an operator acts as a user. @throws {GatehouseError} `ValidationFailed` */
export const decodeImpersonation: DecodeBody<{ readonly reason: string }> = bodyDecoder(
  async () => (await ofUsers()).impersonation,
)

/** Decodes whom to invite, with the keys of the wire. @throws {GatehouseError} `ValidationFailed` */
export const decodeNewInvitation: DecodeBody<Json> = bodyDecoder(
  async () => (await ofUsers()).newInvitation,
)

/** Decodes why a user is disabled. @throws {GatehouseError} `ValidationFailed` */
export const decodeDisabling: DecodeBody<DisableUserOptions> = bodyDecoder(
  async () => (await ofUsers()).disabling,
)
