import type { Json } from '../../storage/storage.ts'
import type { AttributeChange } from '../accounts/user-profile.ts'
import {
  advanceFlowBody,
  approveLinkBody,
  createFlowBody,
  getFlowStateBody,
  profileChangesBody,
} from '../api/bodies.ts'
import { importedUsers } from '../api/users.ts'
import type { AdvanceFlowParams } from '../flows/advance-flow.ts'
import type { CreateFlowParams } from '../flows/create-flow.ts'
import type { ImportedUser } from '../people/imported-user.ts'
import { bodyDecoder } from '../schema/body-decoder.ts'

const decodeInputs = bodyDecoder<AdvanceFlowParams>(advanceFlowBody)
const decodeStateInputs = bodyDecoder<AdvanceFlowParams>(advanceFlowBody, ['state_token'])
const decodeProfile = bodyDecoder<{ attributes: readonly AttributeChange[] }>(profileChangesBody)

/** Decodes the parameters of a new flow. @throws {GatehouseError} `ValidationFailed` */
export const decodeCreateFlow: (body: Json) => CreateFlowParams = bodyDecoder(createFlowBody)

/** Decodes the input for a state. @throws {GatehouseError} `ValidationFailed` */
export function decodeAdvanceFlow(body: Json): AdvanceFlowParams {
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
export const decodeGetFlowState: (body: Json) => { state_token: string } =
  bodyDecoder(getFlowStateBody)

/** Decodes profile changes; the operation checks the values. @throws {GatehouseError} `ValidationFailed` */
export const decodeProfileChanges = (body: Json): readonly AttributeChange[] =>
  decodeProfile(body).attributes

/** Decodes the code of the link to approve. @throws {GatehouseError} `ValidationFailed` */
export const decodeApproveLink: (body: Json) => { code: string } = bodyDecoder(approveLinkBody)

/** Decodes the records to import; each is checked when it is imported. @throws {GatehouseError} `ValidationFailed` */
export const decodeImportUsers: (body: Json) => { readonly users: readonly ImportedUser[] } =
  bodyDecoder(importedUsers)
