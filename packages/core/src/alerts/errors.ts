import { goQuote } from '@gatehouse/go-template/text'
import { GatehouseError } from '../errors.ts'

/** No silence has this id. */
export const silenceNotFound = (id: string): GatehouseError =>
  new GatehouseError('NotFound', 'SilenceNotFound', 'silence not found', { info: { id } })

/** No recurring silence has this id. */
export const recurringSilenceNotFound = (id: string): GatehouseError =>
  new GatehouseError('NotFound', 'RecurringSilenceNotFound', 'recurring silence not found', {
    info: { id },
  })

/** A posted silence breaks a rule; the message names it. */
export const invalidSilence = (message: string): GatehouseError =>
  new GatehouseError('Invalid', 'InvalidSilence', message)

/** There are too many silences, or this one is too large. */
export const silenceLimitExceeded = (message: string): GatehouseError =>
  new GatehouseError('Invalid', 'SilenceLimitExceeded', message)

/** A request has too many filters. */
export const tooManyFilters = (count: number, limit: number): GatehouseError =>
  new GatehouseError(
    'BadRequest',
    'TooManyFilters',
    `too many filters: ${count} (limit: ${limit})`,
    {
      info: { count, limit },
    },
  )

/** A request has too many alerts. */
export const tooManyAlerts = (limit: number): GatehouseError =>
  new GatehouseError(
    'TooLarge',
    'TooManyAlerts',
    `too many alerts in one request (limit: ${limit})`,
    {
      info: { limit },
    },
  )

/** An alert is too long. */
export const alertTooLong = (limit: number): GatehouseError =>
  new GatehouseError(
    'TooLarge',
    'AlertTooLong',
    `an alert is too long (limit: ${limit} characters)`,
    {
      info: { limit },
    },
  )

/** Some posted alerts were not valid: the failure of each, in their order. */
export const invalidAlerts = (failures: readonly string[]): GatehouseError =>
  new GatehouseError('Invalid', 'InvalidAlerts', failures.join('\n'), { info: { failures } })

/** The running configuration has no receiver with this name. */
export const receiverNotFound = (name: string): GatehouseError =>
  new GatehouseError('NotFound', 'ReceiverNotFound', `no receiver is named ${goQuote(name)}`, {
    info: { name },
  })

/** The history has no notification with this id. */
export const notificationNotFound = (id: string): GatehouseError =>
  new GatehouseError(
    'NotFound',
    'NotificationNotFound',
    `the history has no notification with the id ${goQuote(id.slice(0, 200))}`,
  )

/** The `receiver` parameter is not a valid regular expression. */
export const invalidReceiver = (cause: Error): GatehouseError =>
  new GatehouseError(
    'BadRequest',
    'InvalidReceiver',
    `failed to parse receiver param: ${cause.message}`,
    { cause },
  )

/** A `receiver_matchers` parameter is not a valid matcher. */
export const invalidReceiverMatchers = (cause: Error): GatehouseError =>
  new GatehouseError(
    'BadRequest',
    'InvalidReceiverMatchers',
    `failed to parse receiver_matchers param: ${cause.message}`,
    { cause },
  )

/** No alert with this fingerprint is firing. */
export const alertNotFound = (fingerprint: string): GatehouseError =>
  new GatehouseError(
    'NotFound',
    'AlertNotFound',
    `no alert with the fingerprint ${goQuote(fingerprint)} is firing`,
    { info: { fingerprint } },
  )

/** No alert is firing in a group with this key. */
export const alertGroupNotFound = (groupKey: string): GatehouseError =>
  new GatehouseError(
    'NotFound',
    'AlertGroupNotFound',
    `no alert is firing in a group with the key ${goQuote(groupKey)}`,
    { info: { groupKey } },
  )

/** An acknowledgement breaks a rule; the message names it. */
export const invalidAcknowledgement = (message: string): GatehouseError =>
  new GatehouseError('Invalid', 'InvalidAcknowledgement', message)

/** No other server has this name. */
export const otherServerNotFound = (name: string): GatehouseError =>
  new GatehouseError(
    'NotFound',
    'OtherServerNotFound',
    `no other server is named ${goQuote(name.slice(0, 200))}`,
  )

/** The alerts of another server could not be read. */
export const otherServerFailed = (name: string, failure: string): GatehouseError =>
  new GatehouseError('ServiceUnavailable', 'OtherServerFailed', `${name}: ${failure}`, {
    info: { name, failure },
  })

/** A query for a stream of changes is not valid; the message names the parameter. */
export const invalidChangesQuery = (message: string): GatehouseError =>
  new GatehouseError('BadRequest', 'InvalidChangesQuery', message)

/** A query for a page of a list is not valid; the message names the parameter. */
export const invalidPageQuery = (message: string): GatehouseError =>
  new GatehouseError('BadRequest', 'InvalidPageQuery', message)
