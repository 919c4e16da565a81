import { isGatehouseError } from '../errors.ts'
import type { Clock } from '../time/clock.ts'
import { clientError } from './errors.ts'
import { failureText, isUnconnected } from './failure-text.ts'
import { type Delivery, follow } from './follow.ts'
import { createTokenSource } from './oauth2.ts'
import { configuredProxies, type Environment } from './proxy.ts'
import type { ReadFile } from './read-secret.ts'
import { headersOfRequest, readAuthorization, readHeaders } from './request-headers.ts'
import type { OutgoingAnswer, SendRequest } from './send-request.ts'
import { withoutSentSecrets } from './sent-secrets.ts'
import { createTransport } from './transport.ts'
import type { Fetch } from './wire.ts'

/** Options of {@link createHttpClient}. */
export interface HttpClientOptions {
  /** Reads the files with secrets and certificates that a configuration names, again for each request. */
  readFile: ReadFile
  clock: Clock
  /** The `User-Agent`, such as `Alertmanager/0.34.0`. */
  userAgent: string
  /**
   * Sends requests that need neither a proxy nor their own TLS options (default: `undici`, or the platform's `fetch` without it).
   */
  fetch?: Fetch
  /** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, for `proxy_from_environment` (default none). */
  environment?: Environment
  /** Loads `undici` when the first request needs it (default: the npm package). */
  importUndici?: () => Promise<unknown>
}

/** Sends the requests of notifiers. */
export interface HttpClient {
  readonly send: SendRequest
  /** Closes idle connections; running requests end first. */
  close(): Promise<void>
}

/**
 * Creates a client that sends requests by an `http_config`. It uses HTTP/1.1, whatever `enable_http2` says, and needs the package
 * `undici` for proxies and for `tls_config`.
 *
 * It rejects with a {@link GatehouseError} that contains neither the URL nor a secret.
 *
 * @see Prometheus, `<http_config>`
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { readFile, clock, userAgent, environment = {}, importUndici } = options
  const { fetch } = options
  const transport = createTransport({ fetch, readFile, environment, importUndici })
  const tokens = createTokenSource({
    clock,
    readFile,
    send: async (request, connection, signal) => {
      const headers = headersOfRequest(request)
      const identity = { userAgent, configured: undefined, token: undefined }
      return follow(transport, {
        request,
        headers,
        identity,
        connection,
        signal,
        followRedirects: true,
      })
    },
  })

  const exchange = async (delivery: Delivery): Promise<OutgoingAnswer> => {
    const answer = await follow(transport, delivery)
    if (answer.body === '') return answer
    const proxies = configuredProxies(delivery.connection, environment)
    return withoutSentSecrets(answer, delivery, proxies)
  }

  const deliver: SendRequest = async (request, http, signal) => {
    // Most configurations have neither, and need not wait for them.
    const isPlain = http.basic_auth === undefined && http.authorization === undefined
    const configured = isPlain ? undefined : await readAuthorization(http, readFile)
    const headers =
      http.http_headers.size === 0
        ? headersOfRequest(request)
        : await readHeaders(request, http, readFile)
    const sendAs = (token?: string): Promise<OutgoingAnswer> =>
      exchange({
        request,
        headers,
        identity: { userAgent, configured, token },
        connection: http,
        signal,
        followRedirects: http.follow_redirects,
      })
    const { oauth2 } = http
    if (oauth2 === undefined) return sendAs()
    const token = await tokens.get(oauth2, signal)
    const answer = await sendAs(token.authorization)
    if (answer.status !== 401) return answer
    // The token may have been revoked early: try another one, once.
    tokens.drop(oauth2, token)
    const renewed = await tokens.get(oauth2, signal)
    const second = await sendAs(renewed.authorization)
    if (second.status === 401) tokens.drop(oauth2, renewed)
    return second
  }

  return {
    async send(request, http, signal) {
      try {
        signal.throwIfAborted()
        return await deliver(request, http, signal)
      } catch (error) {
        throw notAnswered(request.method, error, signal)
      }
    },
    close: () => transport.close(),
  }
}

/** @see Alertmanager, which reports network errors in this form, with the URL hidden */
function notAnswered(method: string, error: unknown, signal: AbortSignal): Error {
  const verb = method.charAt(0) + method.slice(1).toLowerCase()
  const text = signal.aborted ? abortText(signal) : textOf(error)
  return clientError(reasonOf(error, signal), `${verb} "<redacted>": ${text}`)
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'NotAnswered'
  if (isGatehouseError(error)) return error.reason
  return isUnconnected(error) ? 'NotConnected' : 'NotAnswered'
}

const textOf = (error: unknown): string =>
  isGatehouseError(error) ? error.message : failureText(error)

const abortText = ({ reason }: AbortSignal): string =>
  reason instanceof Error && reason.name === 'TimeoutError'
    ? 'context deadline exceeded'
    : 'context canceled'
