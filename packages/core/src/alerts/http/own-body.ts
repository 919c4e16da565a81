import { decodeJson } from '@gatehouse/go-template/json'
import { GatehouseError, isGatehouseError } from '../../errors.ts'
import type { Answer } from '../../http/answer.ts'
import { decodeBody } from '../../http/api/decode-body.ts'
import type { ApiSchema } from '../../http/api/schema.ts'
import { parseMediaType } from '../../http/media-type.ts'
import { ownRefusal } from '../../http/own-api/failure.ts'
import { decodeUtf8, readBody } from '../../http/read-body.ts'
import type { RouteRequest } from '../../http/route.ts'
import { decodeInput } from '../../input/decode.ts'
import type { AlertsContext } from '../context.ts'

const json = 'application/json'

/** A body below `/gatehouse/v1`. */
export interface OwnBody {
  /** Loads the schema that documents it, when the first body comes: schemas would make imports slower. */
  readonly load: () => Promise<ApiSchema>
  /** The name that the operation has for it. A refusal names members without it. */
  readonly argument: string
}

/**
 * Reads the JSON body of a request below `/gatehouse/v1`, decodes it by the schema that documents it, and continues with it. The
 * operation checks what takes more than a schema.
 */
export async function withOwnBody<T>(
  alerts: AlertsContext,
  request: RouteRequest,
  { load, argument }: OwnBody,
  proceed: (body: T) => Promise<Answer>,
): Promise<Answer> {
  const bytes = await readBody(request, alerts.options.maxBodyBytes)
  if (bytes !== undefined && !isJson(request)) {
    return ownRefusal('UnsupportedMediaType', `the body must be ${json}: set Content-Type`)
  }
  const value = parse(bytes === undefined ? '' : decodeUtf8(bytes))
  const schema = await load()
  try {
    return await proceed(decodeInput(argument, (given) => decodeBody<T>(schema, given), value))
  } catch (error) {
    throw withoutArgument(error, argument)
  }
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
