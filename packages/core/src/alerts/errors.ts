import { GatehouseError } from '../errors.ts'
import { goQuote } from '../go/quote.ts'

/** No silence has this id. */
export const silenceNotFound = (id: string): GatehouseError =>
  new GatehouseError('NotFound', 'SilenceNotFound', 'silence not found', { info: { id } })

/** A posted silence breaks a rule; the message says which. */
export const invalidSilence = (message: string): GatehouseError =>
  new GatehouseError('Invalid', 'InvalidSilence', message)

/** One more silence, or one as large as this, is not allowed. */
export const silenceLimitExceeded = (message: string): GatehouseError =>
  new GatehouseError('Invalid', 'SilenceLimitExceeded', message)

/** A request has more filters than it may. */
export const tooManyFilters = (count: number, limit: number): GatehouseError =>
  new GatehouseError(
    'BadRequest',
    'TooManyFilters',
    `too many filters: ${count} (limit: ${limit})`,
    {
      info: { count, limit },
    },
  )

/** A request has more alerts than it may. */
export const tooManyAlerts = (limit: number): GatehouseError =>
  new GatehouseError(
    'TooLarge',
    'TooManyAlerts',
    `too many alerts in one request (limit: ${limit})`,
    {
      info: { limit },
    },
  )

/** An alert is longer than it may be. */
export const alertTooLong = (limit: number): GatehouseError =>
  new GatehouseError(
    'TooLarge',
    'AlertTooLong',
    `an alert is too long (limit: ${limit} characters)`,
    {
      info: { limit },
    },
  )

/** Some posted alerts were not valid: what is wrong with each, in their order. */
export const invalidAlerts = (failures: readonly string[]): GatehouseError =>
  new GatehouseError('Invalid', 'InvalidAlerts', failures.join('\n'), { info: { failures } })

/** The running configuration has no receiver of this name. */
export const receiverNotFound = (name: string): GatehouseError =>
  new GatehouseError('NotFound', 'ReceiverNotFound', `no receiver is named ${goQuote(name)}`, {
    info: { name },
  })

/** The `receiver` parameter is no regular expression. */
export const invalidReceiver = (cause: Error): GatehouseError =>
  new GatehouseError(
    'BadRequest',
    'InvalidReceiver',
    `failed to parse receiver param: ${cause.message}`,
    { cause },
  )

/** A `receiver_matchers` parameter is no matcher. */
export const invalidReceiverMatchers = (cause: Error): GatehouseError =>
  new GatehouseError(
    'BadRequest',
    'InvalidReceiverMatchers',
    `failed to parse receiver_matchers param: ${cause.message}`,
    { cause },
  )
