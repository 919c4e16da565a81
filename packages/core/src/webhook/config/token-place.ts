import {
  built,
  checked,
  filledText,
  flag,
  mapping,
  optional,
  parsedText,
  type Schema,
} from '../../document/schema.ts'
import type { TokenPlace } from '../webhook.ts'
import { isHeaderName } from './headers.ts'

interface PlaceParts {
  readonly header: string | undefined
  readonly query: string | undefined
  readonly basic: boolean | undefined
  readonly path: boolean | undefined
}

const headerName = parsedText((written, report) => {
  const name = written.toLowerCase()
  if (!isHeaderName(name)) return report('out_of_range', 'must be the name of a header')
  if (name === 'authorization') {
    return report('conflict', 'a Bearer token is read anyway; a password is basic: true')
  }
  // Browsers send cookies with the requests of any page.
  return name === 'cookie' ? report('conflict', 'a cookie is no proof of a sender') : name
})

/** One place of a token. */
export const tokenPlace: Schema<TokenPlace> = built(
  checked(
    mapping<PlaceParts>(
      {
        header: optional(headerName, 'The name of a header.'),
        query: optional(
          filledText,
          'The name of a parameter of the query. It is never in the data.',
        ),
        basic: optional(flag, '`true`: the password of Basic authentication, with any user.'),
        path: optional(
          flag,
          '`true`: one more segment at the end of the path. It is never logged.',
        ),
      },
      { title: 'WebhookTokenPlace' },
    ),
    ({ value, isBroken, report }) => {
      const keys = ['header', 'query', 'basic', 'path'] as const
      const given = keys.filter((key) => value[key] !== undefined || isBroken(key))
      if (given.length !== 1) report([], 'conflict', `needs exactly one of ${keys.join(', ')}`)
      for (const key of ['basic', 'path'] as const) {
        if (value[key] === false) report([key], 'out_of_range', 'must be true, or left out')
      }
    },
  ),
  ({ header, query, path }): TokenPlace => {
    if (header !== undefined) return { kind: 'header', name: header }
    if (path === true) return { kind: 'path' }
    return query === undefined ? { kind: 'basic' } : { kind: 'query', name: query }
  },
)
