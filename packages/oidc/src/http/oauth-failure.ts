import { textAnswer } from '@gatehouse/core/adapter'
import type { FramedAnswer } from '@gatehouse/core/auth'

/** A failure as programs of OAuth expect it. @see RFC 6749, section 5.2 */
export const oauthFailure = (
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): FramedAnswer =>
  textAnswer(status, JSON.stringify({ error, error_description: description }), {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
  })
