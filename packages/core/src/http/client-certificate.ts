/** A client certificate that the server has verified. */
export interface ClientCertificate {
  /** The common name of its subject. */
  readonly commonName: string | undefined
  /** Its subject alternative names: host names, IP addresses, email addresses and URIs. */
  readonly names: readonly string[]
}

/** The part of Node's `TLSSocket` that is used here. */
interface TlsSocket {
  readonly authorized: boolean
  getPeerCertificate(): PeerCertificate
}

/** An empty object if the client sent none. */
interface PeerCertificate {
  readonly subject?: { readonly CN?: string | readonly string[] }
  readonly subjectaltname?: string
}

/** Reading a certificate is slow, and a connection keeps its own. */
const known = new WeakMap<object, ClientCertificate>()

/**
 * The certificate of the client of a connection; `undefined` for a connection without TLS, without a client certificate, or with one
 * that was not verified.
 *
 * @param socket the socket of Node's HTTP server; other values have none.
 */
export function clientCertificateOf(socket: unknown): ClientCertificate | undefined {
  if (!isVerified(socket)) return undefined
  const found = known.get(socket)
  if (found !== undefined) return found
  const { subject, subjectaltname } = socket.getPeerCertificate()
  // A certificate with several common names has none that could be relied on.
  const commonName = typeof subject?.CN === 'string' ? subject.CN : undefined
  const certificate = { commonName, names: subjectAltNames(subjectaltname) }
  known.set(socket, certificate)
  return certificate
}

function isVerified(socket: unknown): socket is TlsSocket {
  return (
    typeof socket === 'object' &&
    socket !== null &&
    'authorized' in socket &&
    socket.authorized === true &&
    'getPeerCertificate' in socket &&
    typeof socket.getPeerCertificate === 'function'
  )
}

const entryPattern = /(?:^|, )(?:(DNS|IP Address|email|URI)|[^:,]+):("(?:[^"\\]|\\.)*"|[^,]*)/gy

/**
 * The names in a text such as `DNS:a.example, IP Address:10.0.0.1`. Node quotes a name that contains a comma; such a name is left
 * out.
 *
 * @see https://nodejs.org/api/crypto.html#x509subjectaltname
 */
export function subjectAltNames(text = ''): readonly string[] {
  return [...text.matchAll(entryPattern)]
    .filter(([, type, name = '']) => type !== undefined && !name.startsWith('"'))
    .map(([, , name = '']) => name)
}
