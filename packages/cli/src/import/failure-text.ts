import type { GatehouseError } from '@gatehouse/core'
import { isRow, type Row } from './rows.ts'

/** A sentence for each kind of failure. It leaves the value out, which may be a secret. */
const texts: Readonly<Record<string, (details: Row) => string>> = {
  required: ({ missing, expected }) => `is missing: ${listed(missing ?? expected)}`,
  type: ({ expected, actual }) => `must be of type ${listed(expected)}, not ${listed(actual)}`,
  enum: ({ expected }) => `must be one of ${listed(expected)}`,
  format: ({ format }) => `is not a valid ${String(format).replaceAll('_', ' ')}`,
  minLength: ({ expected }) => `must have at least ${expected} characters`,
  maxLength: ({ expected }) => `must have at most ${expected} characters`,
  minItems: ({ expected }) => `must have at least ${expected} items`,
  maxItems: ({ expected }) => `must have at most ${expected} items`,
}

const listed = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value))

/** Why a user was refused, in words: `email: is not a valid email`. */
export function failureText({ message, info }: GatehouseError): string {
  const causes = Array.isArray(info.causes) ? info.causes.filter(isRow) : []
  return causes.length === 0 ? message : causes.map(causeText).join('; ')
}

function causeText({ location, kind, details }: Row): string {
  const place = String(location ?? '')
    .slice(1)
    .replaceAll('/', '.')
  const known = isRow(details) ? details : {}
  const text = typeof known.msg === 'string' ? known.msg : texts[String(kind)]?.(known)
  return `${place === '' ? '' : `${place}: `}${text ?? String(kind)}`
}
