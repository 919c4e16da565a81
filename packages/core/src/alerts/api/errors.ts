import * as z from 'zod/mini'
import { type ApiSchema, named } from '../../http/api/schema.ts'
import { ownFailureOf } from '../../http/own-api/failure-schema.ts'

/** The reasons by which clients distinguish refusals. */
const alertsReasons = [
  // The request
  'InvalidInput',
  'InvalidQuery',
  'InvalidPageQuery',
  'InvalidHistoryQuery',
  'InvalidChangesQuery',
  'InvalidMatcher',
  'InvalidReceiver',
  'InvalidReceiverMatchers',
  'TooManyFilters',
  'UnparsableBody',
  'UnsupportedMediaType',
  'BodyTooLarge',
  'BodyUnreadable',
  'MethodNotAllowed',
  'NotFound',
  'Forbidden',
  'NotAuthenticated',
  'NotAllowed',
  // Alerts and silences
  'AlertNotFound',
  'AlertGroupNotFound',
  'NotificationNotFound',
  'ReceiverNotFound',
  'SilenceNotFound',
  'RecurringSilenceNotFound',
  'OtherServerNotFound',
  'OtherServerFailed',
  'InvalidAcknowledgement',
  'InvalidSilence',
  'SilenceLimitExceeded',
  // The server
  'ServerBusy',
  'TooManyRequests',
  'HostNotAllowed',
  'TooManyListeners',
  'TimedOut',
  'DecisionQueueFull',
  'ServiceClosing',
  'StorageClosed',
  'StorageConflict',
  'StorageUnavailable',
  'UnexpectedError',
] as const

export const alertsFailure: ApiSchema = ownFailureOf(
  'AlertsFailure',
  named('AlertsReason', 'Why a request below `/gatehouse/v1` was refused.', z.enum(alertsReasons)),
)
