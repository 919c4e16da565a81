import { GatehouseError } from '../../errors.ts'

/** Why a value of the right type is not valid: 601 its format, 602 it is missing, 612 too few items. */
export type SchemaCode = 601 | 602 | 612

/** What a body is about, in messages. */
export type BodyName = 'alerts' | 'silence'

/** A body that is not JSON, or has a value of a wrong type. `what` names the body. */
export const unparsableBody = (what: BodyName, because: string): GatehouseError =>
  new GatehouseError(
    'BadRequest',
    'UnparsableBody',
    `parsing ${what} body from "" failed, because ${because}`,
  )

/** A request that violates the API's schema. `info.code` is the kind of violation. */
export const schemaFailure = (code: SchemaCode, message: string): GatehouseError =>
  new GatehouseError('Invalid', 'InvalidSchema', message, { info: { code } })

/** A required value is missing. */
export const requiredInBody = (path: string): GatehouseError =>
  schemaFailure(602, `${path} in body is required`)
