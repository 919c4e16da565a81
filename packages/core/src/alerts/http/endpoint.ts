import type { RouteAction } from '../../authorization/action.ts'
import type { Answer } from '../../http/answer.ts'
import type { RequestInfo, RouteRequest } from '../../http/route.ts'
import type { AlertsOperation } from '../wire/operations.ts'
import type { FramedRow } from './frame/framed-row.ts'

/** Answers the requests of one method to one path. */
export type Operation = (request: RouteRequest, info: RequestInfo) => Promise<Answer>

/** The function that answers an operation, and the access it needs. */
export interface Endpoint extends Pick<FramedRow, 'action' | 'checksResource' | 'emptyNotFound'> {
  readonly operation: Operation
  /** Whether a GET also answers HEAD (default: HEAD gets 405, as from Alertmanager). */
  readonly answersHead?: true
}

/** The endpoints of operations. `undefined` disables one: it has no route. */
export type Endpoints<Id extends AlertsOperation> = Readonly<Record<Id, Endpoint | undefined>>

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
