import { isRow } from './rows.ts'

/** A value of a hooks file. */
export type Given =
  | string
  | number
  | boolean
  | null
  | readonly Given[]
  | { readonly [key: string]: Given }

/** A mapping of a hooks file. */
export type Row = { readonly [key: string]: Given }

/** A part of a hook that webhooks do not have. The message names it. */
export class NotCarriedOver extends Error {}

export const rowOf = (given: Given | undefined): Row => (isRow(given) ? given : {})

export const listOf = (given: Given | undefined): readonly Given[] =>
  Array.isArray(given) ? given : []

/** A text of a mapping; empty if it is missing. */
export function textAt(row: Row, key: string): string {
  const value = row[key]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The source of a webhook for a parameter of a hook. */
export function sourceOf(parameter: Row): string {
  const kind = textAt(parameter, 'source')
  const name = textAt(parameter, 'name')
  if (kind === 'header') return `header:${name}`
  if (kind === 'url' || kind === 'query') return `query:${name}`
  if (kind === 'payload') return bodySource(name)
  if (kind === 'entire-payload') return 'data'
  if (kind === 'entire-headers') return 'header:'
  if (kind === 'entire-query') return 'query:'
  if (kind === 'raw-request-body') return 'body:'
  if (kind === 'request' && name.toLowerCase() === 'method') return 'request:method'
  if (kind === 'request' && name.toLowerCase() === 'remote-addr') return 'request:client_ip'
  throw new NotCarriedOver(`the source ${JSON.stringify(kind)} has no counterpart`)
}

/** Names with brackets or dollar signs are names here as well, not indexes. */
function bodySource(given: string): string {
  // The program puts a body that is a list below the name root.
  const name = given.replace(/^root\.(?=\d)/, '')
  if (name === '') throw new NotCarriedOver('a parameter of the payload has no name')
  return /[[\]$]/.test(name) ? `body:data.${name}` : `data.${name}`
}
