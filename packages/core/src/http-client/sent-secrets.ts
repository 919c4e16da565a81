import { parseUrl } from '../http/parse-url.ts'
import { credentialsOfUrl, percentDecoded } from './basic-credentials.ts'
import type { Delivery } from './follow.ts'
import type { OutgoingAnswer } from './send-request.ts'
import { withoutSecrets } from './without-secrets.ts'

/** In a success, shorter secrets are not masked: they could be a word that the notifier searches for. */
const leastInSuccess = 8

/**
 * The response, with the secrets masked that the client added to the request. Notifiers report the text of a server's response,
 * and many servers repeat the request in an error.
 *
 * @param proxies the proxies that the request may have gone through.
 */
export function withoutSentSecrets(
  answer: OutgoingAnswer,
  delivery: Delivery,
  proxies: readonly URL[],
): OutgoingAnswer {
  const secrets = secretsOf(delivery, proxies)
  const isSuccess = answer.status >= 200 && answer.status < 300
  const hidden = isSuccess ? secrets.filter(({ length }) => length >= leastInSuccess) : secrets
  const { status, headers, body } = answer
  return hidden.length === 0 ? answer : { status, headers, body: withoutSecrets(body, hidden) }
}

/** Every form in which a server could repeat a secret: as configured, and as sent. */
function secretsOf(delivery: Delivery, proxies: readonly URL[]): string[] {
  const { request, headers, identity, connection } = delivery
  const { configured, token } = identity
  const credentials = [configured, token, headers.authorization].flatMap((one) => one ?? [])
  const url = parseUrl(request.url)
  return [
    ...credentials.flatMap(secretsOfCredentials),
    ...headers.secret.map(([, value]) => value),
    ...[...connection.proxy_connect_header.values()].flat().map((value) => value.reveal()),
    ...[...(url === undefined ? [] : [url]), ...proxies].flatMap(secretsOfUserinfo),
  ]
}

/** The secret parts of an `Authorization` header: all but the scheme, and for the basic scheme also the password. */
function secretsOfCredentials(header: string): string[] {
  const [, scheme = '', value = header] = /^(\S+) +(.+)$/s.exec(header) ?? []
  if (scheme.toLowerCase() !== 'basic') return [value]
  const decoded = Buffer.from(value, 'base64').toString('utf8')
  return [value, decoded, decoded.slice(decoded.indexOf(':') + 1)]
}

function secretsOfUserinfo(url: URL): string[] {
  const header = credentialsOfUrl(url)
  if (header === undefined) return []
  // A username without a password is a token.
  const token = url.password === '' ? [percentDecoded(url.username)] : []
  return [...secretsOfCredentials(header), ...token]
}
