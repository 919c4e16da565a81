import { basicCredentials, credentialsOfUrl } from './basic-credentials.ts'
import type { HttpConfig } from './http-config.ts'
import { type ReadFile, readSecret, readTrimmed } from './read-secret.ts'
import type { Hop } from './redirect.ts'
import type { OutgoingRequest } from './send-request.ts'

type HeaderList = readonly (readonly [name: string, value: string])[]

/** The headers of a request, separated by who may see them. */
export interface RequestHeaders {
  /** Headers of the notifier, except those in `secret`. */
  readonly own: HeaderList
  /** Headers that the configuration adds for all hosts. */
  readonly added: HeaderList
  /** Headers for the first host only. */
  readonly secret: HeaderList
  /** The `Authorization` of the notifier. */
  readonly authorization: string | undefined
  readonly hasBody: boolean
}

/** Headers with credentials. @see https://pkg.go.dev/net/http#Client, on redirects */
const sensitive: ReadonlySet<string> = new Set(['cookie', 'cookie2', 'www-authenticate'])
/** Headers about a body; they are dropped with it. */
const ofBody = /^content-/

/** The headers of a request. */
export function headersOfRequest({ headers = {}, body }: OutgoingRequest): RequestHeaders {
  const own: [string, string][] = []
  const secret: [string, string][] = []
  let authorization: string | undefined
  for (const written in headers) {
    const name = written.toLowerCase()
    const value = headers[written] ?? ''
    if (name === 'authorization') authorization ??= value
    else if (sensitive.has(name)) secret.push([name, value])
    else own.push([name, value])
  }
  return { own, added: [], secret, authorization, hasBody: body !== undefined }
}

/** The headers of a request with those that `http_headers` adds. */
export async function readHeaders(
  request: OutgoingRequest,
  http: HttpConfig,
  readFile: ReadFile,
): Promise<RequestHeaders> {
  const given = headersOfRequest(request)
  const added: [string, string][] = []
  const secret = [...given.secret]
  for (const [name, { values, secrets, files }] of http.http_headers) {
    for (const value of values) added.push([name, value])
    for (const value of secrets) secret.push([name, value.reveal()])
    for (const file of files) secret.push([name, await readTrimmed(readFile, file, 'header')])
  }
  return { ...given, added, secret }
}

/** The value of `basic_auth` or `authorization`; `undefined` if neither is configured. */
export async function readAuthorization(
  { basic_auth, authorization }: HttpConfig,
  readFile: ReadFile,
): Promise<string | undefined> {
  if (basic_auth !== undefined) {
    const { username, username_file, password, password_file } = basic_auth
    const name =
      username === '' && username_file !== ''
        ? await readTrimmed(readFile, username_file, 'username')
        : username
    const secret = { value: password, file: password_file, name: 'password' }
    return basicCredentials(name, await readSecret(readFile, secret))
  }
  if (authorization === undefined) return undefined
  const { type, credentials, credentials_file } = authorization
  const secret = { value: credentials, file: credentials_file, name: 'authorization credentials' }
  return `${type} ${await readSecret(readFile, secret)}`
}

/** The credentials of a request. */
export interface Identity {
  readonly userAgent: string
  /** The `Authorization` of the configuration. */
  readonly configured: string | undefined
  /** The `Authorization` by OAuth 2.0, which takes precedence over everything else. */
  readonly token: string | undefined
}

/**
 * The headers of one hop. The credentials come from a token, otherwise from the notifier, the URL or the configuration, in this
 * order.
 */
export function headersOf(hop: Hop, headers: RequestHeaders, identity: Identity): HeaderList {
  const { own, added, secret, authorization, hasBody } = headers
  const isBodyDropped = hasBody && hop.body === undefined
  const { userAgent, configured, token } = identity
  const ofUrl = credentialsOfUrl(hop.url)
  const said = hop.isTrusted ? (token ?? authorization ?? ofUrl ?? configured) : ofUrl
  return [
    ['user-agent', userAgent],
    ...own.filter(([name]) => !(isBodyDropped && ofBody.test(name))),
    ...added,
    ...(hop.isTrusted ? secret : []),
    ...(said === undefined ? [] : [['authorization', said] as const]),
  ]
}
