import type { GatehouseError } from '../../errors.ts'
import { webhookError } from '../errors.ts'

/** The longest entry of an argument list or an environment that Linux takes, in bytes, its closing NUL not counted. */
const mostEntryBytes = 131_071

/** What a value of a request is for: an argument by its place, or a variable or file by the name of its variable. */
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

/** The request lacks a value that a command needs. */
export const valueMissing = (purpose: Purpose, source: string): GatehouseError =>
  refusal('argument_missing', purpose, source, 'is missing')

/** The request has a value that no command is given. The value itself is not told. */
export const valueRejected = (purpose: Purpose, source: string, problem: string): GatehouseError =>
  refusal('argument_rejected', purpose, source, problem)

/**
 * Why a text cannot be an entry of an argument list or an environment; `undefined` if it can. Starting a process would cut it at a
 * NUL, change half a surrogate pair, or fail.
 */
export function entryProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'has a NUL character'
  if (!text.isWellFormed()) return 'has half a surrogate pair'
  if (Buffer.byteLength(text) > mostEntryBytes) return `has more than ${mostEntryBytes} bytes`
  return undefined
}
