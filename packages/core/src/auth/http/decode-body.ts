import type { Json } from '../../storage/storage.ts'
import type { AttributeChange } from '../accounts/user-profile.ts'
import { validationFailed } from '../errors.ts'
import type { AdvanceFlowParams } from '../flows/advance-flow.ts'
import { type CreateFlowParams, mostInputs } from '../flows/create-flow.ts'
import type { ImportedUser } from '../people/imported-user.ts'
import { type JsonSchema, validateJson } from '../schema/json-schema.ts'

const text: JsonSchema = { type: 'string' }
const input: JsonSchema = { type: 'object' }
const inputs: JsonSchema = { type: 'array', items: input, maxItems: mostInputs }

/** As long as any URL that servers accept. */
const longestQuery = 16_384

const createSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'name'],
  properties: {
    type: {
      type: 'string',
      enum: ['signup', 'promote', 'login', 'signup_login', 'reauth', 'account_recovery'],
    },
    name: text,
    input,
    batch_input: inputs,
    url_query: { type: 'string', maxLength: longestQuery },
    client_context: {},
  },
}

/** The body has exactly one of the two. */
const restoreSchema: JsonSchema = {
  type: 'object',
  properties: { state_token: text, input, batch_input: { ...inputs, minItems: 1 } },
  oneOf: [{ required: ['input'] }, { required: ['batch_input'] }],
}
const advanceSchema: JsonSchema = { ...restoreSchema, required: ['state_token'] }

const readSchema: JsonSchema = {
  type: 'object',
  required: ['state_token'],
  properties: { state_token: text },
}

/** More would keep the process busy for too long. */
const mostImported = 1_000

const importSchema: JsonSchema = {
  type: 'object',
  required: ['users'],
  properties: { users: { type: 'array', maxItems: mostImported } },
}

const approveSchema: JsonSchema = {
  type: 'object',
  required: ['code'],
  properties: { code: text },
}

/** The value, typed after its validation. */
function decode<T>(schema: JsonSchema, body: Json): T {
  const causes = validateJson(schema, body)
  if (causes.length > 0) throw validationFailed(causes, 'invalid request body')
  return body as T
}

/** Decodes the parameters of a new flow. @throws {GatehouseError} `ValidationFailed` */
export function decodeCreateFlow(body: Json): CreateFlowParams {
  return decode(createSchema, body)
}

/** Decodes the input for a state. @throws {GatehouseError} `ValidationFailed` */
export function decodeAdvanceFlow(body: Json): AdvanceFlowParams {
  return decode(bringsRecoveryCode(body) ? restoreSchema : advanceSchema, body)
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
export function decodeGetFlowState(body: Json): { state_token: string } {
  return decode(readSchema, body)
}

const profileSchema: JsonSchema = {
  type: 'object',
  required: ['attributes'],
  properties: { attributes: { type: 'array' } },
}

/** Decodes profile changes; the operation checks the values. @throws {GatehouseError} `ValidationFailed` */
export function decodeProfileChanges(body: Json): readonly AttributeChange[] {
  return decode<{ attributes: readonly AttributeChange[] }>(profileSchema, body).attributes
}

/** Decodes the code of the link to approve. @throws {GatehouseError} `ValidationFailed` */
export function decodeApproveLink(body: Json): { code: string } {
  return decode(approveSchema, body)
}

/** Decodes the records to import; each is checked when it is imported. @throws {GatehouseError} `ValidationFailed` */
export function decodeImportUsers(body: Json): { readonly users: readonly ImportedUser[] } {
  return decode(importSchema, body)
}
