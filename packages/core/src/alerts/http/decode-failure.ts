import { GatehouseError } from '../../errors.ts'

/** Why a value of the right type does not fit: 601 its format, 602 it is missing, 612 too few items. */
export type SchemaCode = 601 | 602 | 612

/** A body that is no JSON, or has a value of a wrong type. `what` names the body. */
export const unparsableBody = (what: 'alerts' | 'silence', because: string): GatehouseError =>
  new GatehouseError(
    'BadRequest',
    'UnparsableBody',
    `parsing ${what} body from "" failed, because ${because}`,
  )

/** A request that breaks the API's schema. `info.code` says in which way. */
export const schemaFailure = (code: SchemaCode, message: string): GatehouseError =>
  new GatehouseError('Invalid', 'InvalidSchema', message, { info: { code } })

/** A value that must be there and is not. */
export const requiredInBody = (path: string): GatehouseError =>
  schemaFailure(602, `${path} in body is required`)
