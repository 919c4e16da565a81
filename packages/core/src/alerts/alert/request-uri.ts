const controlCharacter = /[^ -~\u0080-\uffff]/
const scheme = /^[A-Za-z][A-Za-z\d+.-]*:/
const badEscape = /%(?![\da-fA-F]{2})/
const userInfo = /^(?:[A-Za-z\d._:~!$&'()*+,;=@-]|%[\da-fA-F]{2})*$/
const hostName = /^(?:[A-Za-z\d._~!$&'()*+,;=:"<>[\]-]|[\u0080-\uffff]|%[89a-fA-F][\da-fA-F])*$/
const port = /^(?::\d*)?$/

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@')
  if (at >= 0 && !userInfo.test(authority.slice(0, at))) return false
  const host = authority.slice(at + 1)
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']')
    return end > 0 && port.test(host.slice(end + 1))
  }
  const colon = host.lastIndexOf(':')
  return hostName.test(host) && (colon < 0 || port.test(host.slice(colon)))
}

/**
 * Whether a text is an absolute URI or an absolute path by Go's rules. Does not check its target.
 *
 * @see https://pkg.go.dev/net/url#ParseRequestURI
 */
export function isRequestUri(text: string): boolean {
  if (text === '' || controlCharacter.test(text)) return false
  if (text === '*') return true
  const start = scheme.exec(text)?.[0].length ?? 0
  const mark = text.indexOf('?', start)
  const rest = text.slice(start, mark < 0 ? text.length : mark)
  if (!rest.startsWith('/')) return start > 0
  if (start === 0 || !rest.startsWith('//')) return !badEscape.test(rest)
  const slash = rest.indexOf('/', 2)
  const end = slash < 0 ? rest.length : slash
  return isAuthority(rest.slice(2, end)) && !badEscape.test(rest.slice(end))
}
