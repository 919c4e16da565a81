import type { GatehouseError } from '../../errors.ts'
import { webhookError } from '../errors.ts'

/** The longest entry of an argument list or environment that Linux accepts, in bytes, without its closing NUL. */
const mostEntryBytes = 131_071

/** The use of a request value: an argument by its index, or a variable or file by the name of its variable. */
export type Purpose = { readonly argument: number } | { readonly variable: string }

const nameOf = (purpose: Purpose): string =>
  'argument' in purpose ? `argument ${purpose.argument}` : `variable ${purpose.variable}`

function refusal(
  code: 'argument_missing' | 'argument_rejected',
  purpose: Purpose,
  source: string,
  problem: string,
): GatehouseError {
  const origin = source === '' ? '' : ` (${source})`
  return webhookError(code, `${nameOf(purpose)}${origin} ${problem}`, { ...purpose, source })
}

/** The error for a request without a required value. */
export const valueMissing = (purpose: Purpose, source: string): GatehouseError =>
  refusal('argument_missing', purpose, source, 'is missing')

/** The error for a value that no command may get. It does not quote the value. */
export const valueRejected = (purpose: Purpose, source: string, problem: string): GatehouseError =>
  refusal('argument_rejected', purpose, source, problem)

/**
 * The reason why a text cannot be an entry of an argument list or environment; `undefined` if it can. Starting a process would
 * cut it at a NUL, change half a surrogate pair, or fail.
 */
export function entryProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'has a NUL character'
  if (!text.isWellFormed()) return 'has half a surrogate pair'
  if (Buffer.byteLength(text) > mostEntryBytes) return `has more than ${mostEntryBytes} bytes`
  return undefined
}
