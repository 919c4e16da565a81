import type { RouteAction } from '../../authorization/action.ts'
import type { Answer } from '../../http/answer.ts'
import {
  checkParameterNames,
  otherMethodRefusal,
  unknownPathRefusal,
} from '../../http/own-api/failure.ts'
import type { RequestInfo, RouteRequest } from '../../http/route.ts'
import type { AlertsContext } from '../context.ts'
import { frameworkFailure } from './frame/error-response.ts'
import type { FramedRow } from './frame/framed-row.ts'

/** Answers the requests of one method to one path. */
export type Operation = (request: RouteRequest, info: RequestInfo) => Promise<Answer>

/** One method of a path. */
export interface Endpoint extends Pick<FramedRow, 'action' | 'checksResource'> {
  readonly operation: Operation
}

/** An operation for callers that may do this. */
export const requires = (action: RouteAction, operation: Operation): Endpoint => ({
  action,
  operation,
})

/** The same, but the operation itself checks the caller with the resource of the request. */
export const checks = (action: RouteAction, operation: Operation): Endpoint => ({
  action,
  operation,
  checksResource: true,
})

/** What a row answers with, of an operation. */
export const answering =
  (operation: Operation): FramedRow['answer'] =>
  ({ request, info }) =>
    operation(request, info)

/** The operation of every other method: 405. */
export function otherMethods(operations: Readonly<Record<string, Endpoint>>): Endpoint {
  const allow = Object.keys(operations).join(',')
  return requires('public', async ({ method }) => {
    const message = `method ${method} is not allowed, but [${allow}] are`
    return frameworkFailure(405, message, { allow })
  })
}

/**
 * The rows of one path below `/gatehouse/v1`.
 *
 * @param name the rest of the path, such as `alert-history`.
 */
export function ownRows(
  alerts: AlertsContext,
  name: string,
  operations: Readonly<Record<string, Endpoint>>,
): FramedRow[] {
  const handler = `/gatehouse/v1/${name}`
  const path = `${alerts.options.basePath}${handler}`
  const methods = Object.keys(operations)
  const others = requires('public', async () => otherMethodRefusal(methods))
  const all = [...Object.entries(operations), ['*', others] as const]
  return all.map(([method, { operation, ...needs }]) => ({
    ...needs,
    method,
    path,
    handler,
    kind: 'own',
    answer: answering(checked(operation)),
  }))
}

/** Checks the names of the parameters first. */
const checked =
  (operation: Operation): Operation =>
  async (request, info) => {
    checkParameterNames(info.query)
    return operation(request, info)
  }

/** The rows of unknown paths below `/gatehouse/v1`. */
export function unknownOwnRows(alerts: AlertsContext): FramedRow[] {
  const unknown: Operation = async (_, { path }) => unknownPathRefusal(path)
  return ['/gatehouse/v1', '/gatehouse/v1/*'].map((path) => ({
    method: '*',
    path: `${alerts.options.basePath}${path}`,
    handler: '/gatehouse/v1/',
    action: 'public',
    kind: 'own',
    answer: answering(unknown),
  }))
}
