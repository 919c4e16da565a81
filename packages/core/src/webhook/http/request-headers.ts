import type { RouteRequest } from '../../http/route.ts'

const outsideAscii = /[\u0080-\u00ff]/
const bearerPattern = /^bearer[ \t]+(.+)$/i

/**
 * Reads a header of a request. Servers pass its bytes as characters; UTF-8 is decoded, so that a value means the same in a header
 * as in a body.
 */
export function headerText(headers: RouteRequest['headers'], name: string): string | undefined {
  const value = headers.get(name)
  if (value === null) return undefined
  if (!outsideAscii.test(value)) return value
  const decoded = Buffer.from(value, 'latin1').toString('utf8')
  return decoded.includes('\ufffd') ? value : decoded
}

/** The token of a request, from `Authorization: Bearer` or `X-Webhook-Token`. @see RFC 6750, section 2.1 */
export function requestToken(headers: RouteRequest['headers']): string | undefined {
  const authorization = headerText(headers, 'authorization')?.trim() ?? ''
  return bearerPattern.exec(authorization)?.[1] ?? headerText(headers, 'x-webhook-token')
}
