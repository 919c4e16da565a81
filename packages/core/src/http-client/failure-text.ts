/** Connection errors in words; the platform's code follows them. */
const knownCodes: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset by peer'],
  ['EHOSTUNREACH', 'no route to host'],
  ['ENETUNREACH', 'network is unreachable'],
  ['ENOTFOUND', 'no such host'],
  ['EAI_AGAIN', 'the host name cannot be resolved now'],
  ['EPIPE', 'broken pipe'],
  ['ETIMEDOUT', 'connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connection timed out'],
  ['UND_ERR_HEADERS_TIMEOUT', 'no response in time'],
  ['UND_ERR_SOCKET', 'connection closed'],
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate signed by unknown authority'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate signed by unknown authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate signed by unknown authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate signed by unknown authority'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host'],
])

/** Codes of connections that failed before anything was sent. */
const unconnectedCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

const proxyStatus = /^Proxy response \((\d{3})\)/

/**
 * Why a request got no response. Shows only the code and the name of an error, because its message may contain the host or the
 * whole URL, which may be secret.
 */
export function failureText(error: unknown): string {
  const chain = causesOf(error)
  const status = chain.map(({ message }) => proxyStatus.exec(message)?.[1]).find(Boolean)
  if (status !== undefined) return `the proxy answered ${status}`
  const code = deepestCode(chain)
  if (code === undefined) return withoutCode(chain.at(-1))
  const words = knownCodes.get(code)
  return words === undefined ? code : `${words} (${code})`
}

/** Whether a request failed before any of it was sent. */
export function isUnconnected(error: unknown): boolean {
  const chain = causesOf(error)
  if (chain.some(({ message }) => proxyStatus.test(message))) return true
  return unconnectedCodes.has(deepestCode(chain) ?? '')
}

const deepestCode = (chain: readonly Error[]): string | undefined =>
  chain.map(codeOf).findLast((found) => found !== undefined)

/** A blocked port, which `fetch` refuses without a code. @see Fetch, "port blocking" */
const withoutCode = (error: Error | undefined): string =>
  error?.message === 'bad port' ? 'the port is not allowed' : (error?.name ?? 'unknown error')

/** An error and its chain of causes, at most ten. */
function causesOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < 10; next = next.cause) {
    chain.push(next)
  }
  return chain
}

function codeOf(error: Error): string | undefined {
  if (!('code' in error) || typeof error.code !== 'string') return undefined
  return /^[A-Z][A-Z\d_]{2,60}$/.test(error.code) ? error.code : undefined
}
