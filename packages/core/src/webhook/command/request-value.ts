import type { Pattern } from '@gatehouse/go-template/regex'
import type { GatehouseError } from '../../errors.ts'
import { webhookError } from '../errors.ts'
import { matchesWhole } from '../request/value-pattern.ts'

/** The longest entry of an argument list or environment that Linux accepts, in bytes, without its closing NUL. */
const maxEntryBytes = 131_071

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

const negativeNumber = /^-(?:0|[1-9]\d*)(?:\.\d+)?$/

/** The rules for a value of a request. */
export interface ValueRules {
  readonly pattern: Pattern | undefined
  /** In bytes of UTF-8. */
  readonly max_length: number | undefined
  /** Whether it may begin with a dash, as options do. */
  readonly allow_dash: boolean
}

/** The reason to refuse a value of a request; `undefined` if it is valid. */
export function valueProblem(
  { pattern, max_length, allow_dash }: ValueRules,
  value: string,
): string | undefined {
  if (max_length !== undefined && Buffer.byteLength(value) > max_length) {
    return `has more than ${max_length} bytes`
  }
  if (pattern !== undefined && !matchesWhole(pattern, value)) return 'does not match its pattern'
  const isOption = value.startsWith('-') && !negativeNumber.test(value)
  return isOption && !allow_dash ? 'begins with a dash' : undefined
}

/**
 * The reason why a text cannot be an entry of an argument list or environment; `undefined` if it can. Starting a process would
 * cut it at a NUL, change half a surrogate pair, or fail.
 *
 * @param before the part of the entry before the text, such as the name of a variable.
 */
export function entryProblem(text: string, before = ''): string | undefined {
  if (text.includes('\0')) return 'has a NUL character'
  if (!text.isWellFormed()) return 'has half a surrogate pair'
  const most = maxEntryBytes - Buffer.byteLength(before)
  if (Buffer.byteLength(text) > most) return `has more than ${most} bytes`
  return undefined
}
