import { compareBytes } from '@gatehouse/go-template/text'
import { hmacSha256, sha256Hex } from '../../../crypto/crypto.ts'
import type { OutgoingRequest } from '../../../http-client/send-request.ts'
import type { Instant } from '../../../time/clock.ts'
import type { AwsCredentials } from '../notifier.ts'

/** The parameters of a signature. */
export interface Sigv4Options {
  credentials: AwsCredentials
  /** Such as `us-east-1`. */
  region: string
  /** Such as `sns`. */
  service: string
  now: Instant
}

/**
 * Adds headers to a request that prove its sender to AWS. Signs all its headers, and its host.
 *
 * @see AWS Signature Version 4, "Create a signed AWS API request"
 */
export function signSigv4(request: OutgoingRequest, options: Sigv4Options): OutgoingRequest {
  const { credentials, region, service, now } = options
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const sent: Readonly<Record<string, string>> = {
    ...request.headers,
    'x-amz-date': time,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const { names, text } = canonicalRequest(request, sent)
  const scopeParts = [time.slice(0, 8), region, service, 'aws4_request']
  const scope = scopeParts.join('/')
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256Hex(text)].join('\n')
  const key = scopeParts.reduce<string | Uint8Array>(hmacSha256, `AWS4${secretAccessKey}`)
  const signature = hmacSha256(key, toSign).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  return { ...request, headers: { ...sent, authorization } }
}

interface CanonicalRequest {
  /** The names of the signed headers. */
  readonly names: string
  readonly text: string
}

function canonicalRequest(
  { method, url, body = '' }: OutgoingRequest,
  sent: Readonly<Record<string, string>>,
): CanonicalRequest {
  const { host, pathname, searchParams } = new URL(url)
  const headers = Object.entries({ ...sent, host })
    .map(([name, value]): Pair => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')])
    .sort(byName)
  const names = headers.map(([name]) => name).join(';')
  const query = [...searchParams]
    .map(([name, value]): Pair => [awsEscape(name), awsEscape(value)])
    .sort(byName)
    .map((pair) => pair.join('='))
    .join('&')
  const path = pathname.split('/').map(awsEscape).join('/')
  const lines = headers.map(([name, value]) => `${name}:${value}\n`).join('')
  return { names, text: [method, path, query, lines, names, sha256Hex(body)].join('\n') }
}

type Pair = readonly [name: string, value: string]

const byName = (a: Pair, b: Pair): number => compareBytes(a[0], b[0]) || compareBytes(a[1], b[1])

/** Escapes everything but unreserved characters as `%XX`, also the `%` of existing escapes. */
const awsEscape = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (found) => {
    return `%${found.charCodeAt(0).toString(16).toUpperCase()}`
  })
