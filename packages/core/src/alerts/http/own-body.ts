import { decodeJson } from '@gatehouse/go-template/json'
import type * as z from 'zod/v4/core'
import { GatehouseError, isGatehouseError } from '../../errors.ts'
import type { Answer } from '../../http/answer.ts'
import { decodeBody } from '../../http/api/decode-body.ts'
import { parseMediaType } from '../../http/media-type.ts'
import { ownRefusal } from '../../http/own-api/failure.ts'
import { decodeUtf8, readBody } from '../../http/read-body.ts'
import type { RouteRequest } from '../../http/route.ts'
import { decodeInput } from '../../input/decode.ts'
import type { AlertsContext } from '../context.ts'
import type { AlertsOperation, alertsOperations } from '../wire/operations.ts'
import type { AlertsCalls } from '../wire/types.generated.ts'

const json = 'application/json'

/** The operations below `/gatehouse/v1` that take a body. */
type OperationWithBody = Extract<AlertsOperation, `post${string}`> &
  Exclude<AlertsOperation, 'postAlerts' | 'postSilences'>

/** A body below `/gatehouse/v1`. */
interface OwnBody<Id> {
  readonly of: Id
  /** What the code of the operation calls it (default `request`). Refusals name members without it. */
  readonly argument?: string
}

/**
 * Reads the JSON body of a request below `/gatehouse/v1`, decodes it by the schema that documents it, and continues with it. The
 * operation checks what takes more than a schema.
 */
export async function withOwnBody<Id extends OperationWithBody>(
  alerts: AlertsContext,
  request: RouteRequest,
  { of: id, argument = 'request' }: OwnBody<Id>,
  proceed: (body: AlertsCalls[(typeof alertsOperations)[Id]]['request']['body']) => Promise<Answer>,
): Promise<Answer> {
  const bytes = await readBody(request, alerts.options.maxBodyBytes)
  if (bytes !== undefined && !isJson(request)) {
    return ownRefusal('UnsupportedMediaType', `the body must be ${json}: set Content-Type`)
  }
  const value = parse(bytes === undefined ? '' : decodeUtf8(bytes))
  const schema = await bodySchemaOf(id)
  try {
    return await proceed(decodeInput(argument, (given) => decodeBody(schema, given), value))
  } catch (error) {
    throw withoutArgument(error, argument)
  }
}

/** Loads the schema when the first body comes: schemas would make imports slower. */
async function bodySchemaOf(id: OperationWithBody): Promise<z.$ZodType> {
  const { body } = (await import('../api/operations.ts')).alertsApi.operations[id]
  if (body === undefined) throw new TypeError(`${id} documents no body`)
  return body
}

function isJson({ headers }: RouteRequest): boolean {
  const parsed = parseMediaType(headers.get('content-type') ?? '')
  return 'type' in parsed && parsed.type === json
}

function parse(text: string): unknown {
  try {
    return decodeJson(text)
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    const message = `the body is not valid JSON: ${error.message}`
    throw new GatehouseError('BadRequest', 'UnparsableBody', message, { cause: error })
  }
}

/** A refused member by its place in the body. */
function withoutArgument(error: unknown, argument: string): unknown {
  if (!isGatehouseError(error) || error.reason !== 'InvalidInput') return error
  const { path, expected, given } = error.info
  if (typeof path !== 'string' || !path.startsWith(argument)) return error
  const place = path.slice(argument.length).replace(/^\./, '') || 'body'
  const problem =
    given === 'undefined' ? `required; expected ${expected}` : `expected ${expected}, got ${given}`
  return new GatehouseError('Invalid', 'InvalidInput', `${place}: ${problem}`, {
    cause: error,
    info: { path: place, expected, given },
  })
}
