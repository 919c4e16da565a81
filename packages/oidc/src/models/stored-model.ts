import type { Json, TypedRecord, Version, Write } from '@gatehouse/core/store'
import type { AdapterPayload } from 'oidc-provider'
import { secretDigest } from '../clients/provider-clients.ts'
import { type ModelName, type ModelRecord, modelCollections, recordId } from './model-record.ts'
import type { AdapterPorts } from './revoke-grant.ts'

/** Models whose id is not the value of a token, and has to be known to find them by something else. */
const plainIds: ReadonlySet<ModelName> = new Set([
  'Grant',
  'Interaction',
  'Client',
  'ReplayDetection',
])

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Leaves out members that are `undefined`. */
const defined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T

/** A model as the library stores it. */
export interface StoredModel {
  readonly value: string
  readonly payload: AdapterPayload
  /** In seconds. */
  readonly expiresIn: number | undefined
  readonly if: 'absent' | Version | undefined
}

/** The write that stores a model. */
export function modelWrite(
  ports: AdapterPorts,
  model: ModelName,
  { value, payload, expiresIn, if: condition }: StoredModel,
): Write {
  return modelCollections[model].write(
    recordId(model, value),
    recordOf(ports, model, value, payload),
    {
      ...(expiresIn === undefined ? {} : { expiresAt: ports.clock.now() + expiresIn * 1_000 }),
      ...(condition === undefined ? {} : { if: condition }),
    },
  )
}

function recordOf(
  { secrets }: AdapterPorts,
  model: ModelName,
  value: string,
  payload: AdapterPayload,
): ModelRecord {
  const { jti, deviceCode, ...rest } = payload
  const { client_secret: secret } = rest
  const shown = {
    ...rest,
    ...(model === 'Client' && typeof secret === 'string'
      ? { client_secret: secretDigest(secret) }
      : {}),
    ...(plainIds.has(model) ? { jti } : {}),
    ...(asText(deviceCode) === undefined
      ? {}
      : { sealedDeviceCode: secrets.seal(String(deviceCode), 'device code') }),
  }
  return defined<ModelRecord>({
    // The library passes what JSON can represent, and `undefined`.
    payload: defined(shown) as { readonly [name: string]: Json },
    uid: asText(payload.uid),
    grant_id: model === 'Interaction' ? undefined : asText(payload.grantId),
    user_code: asText(payload.userCode),
    user_id: asText(payload.accountId),
    client_id: asText(payload.clientId),
    session_id: asText(payload.gatehouseSession),
    sealed_value: model === 'DeviceCode' ? secrets.seal(value, 'device code') : undefined,
  } as ModelRecord)
}

/** A model as the library knows it. */
export function payloadOf(
  { secrets }: AdapterPorts,
  model: ModelName,
  { value: { payload, sealed_value: sealed } }: TypedRecord<ModelRecord>,
  value: string | undefined,
): AdapterPayload {
  const { sealedDeviceCode, ...rest } = payload
  const opened = (text: unknown): string | undefined =>
    typeof text === 'string' ? asText(secrets.open(text, 'device code')) : undefined
  const jti = plainIds.has(model) ? undefined : (value ?? opened(sealed))
  const deviceCode = opened(sealedDeviceCode)
  return {
    ...rest,
    ...(jti === undefined ? {} : { jti }),
    ...(deviceCode === undefined ? {} : { deviceCode }),
  } as AdapterPayload
}
