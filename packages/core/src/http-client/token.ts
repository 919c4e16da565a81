import { clientError } from './errors.ts'
import type { OutgoingAnswer } from './send-request.ts'

/** An access token. */
export interface Token {
  /** Such as `Bearer`. */
  readonly type: string
  readonly value: string
  /** `undefined` if the server reports no lifetime, or none that ends. */
  readonly lifetimeMs: number | undefined
}

/**
 * Reads the response of a token endpoint: JSON, or a form, which some servers send.
 *
 * @throws {GatehouseError} `OAuth2Failed`
 * @see RFC 6749, sections 5.1 and 5.2
 */
export function readToken(answer: OutgoingAnswer): Token {
  const members = membersOf(answer)
  const isSuccess = answer.status >= 200 && answer.status < 300
  const error = members.get('error')
  if (!isSuccess || error !== undefined) {
    const said = typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? `: ${error}` : ''
    throw clientError('OAuth2Failed', `oauth2: cannot fetch token: ${answer.status}${said}`)
  }
  const value = members.get('access_token')
  if (typeof value !== 'string' || value === '') {
    throw clientError('OAuth2Failed', 'oauth2: server response missing access_token')
  }
  const seconds = Number(members.get('expires_in'))
  return {
    type: typeName(members.get('token_type')),
    value,
    lifetimeMs: seconds > 0 ? seconds * 1_000 : undefined,
  }
}

function membersOf({ headers, body }: OutgoingAnswer): ReadonlyMap<string, unknown> {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded' || type === 'text/plain') {
    return new Map<string, unknown>(new URLSearchParams(body))
  }
  try {
    const value: unknown = JSON.parse(body)
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
  } catch (error) {
    if (error instanceof SyntaxError) return new Map()
    throw error
  }
}

/** Servers write the known types in any case, but not all of them accept any case. */
function typeName(written: unknown): string {
  if (typeof written !== 'string' || written === '') return 'Bearer'
  return (
    ['Bearer', 'MAC', 'Basic'].find((n) => n.toLowerCase() === written.toLowerCase()) ?? written
  )
}
