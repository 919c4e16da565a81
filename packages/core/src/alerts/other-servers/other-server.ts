import { Secret } from '../../crypto/secret.ts'
import { parseUrl } from '../../http/parse-url.ts'
import type { HttpConfig } from '../../http-client/http-config.ts'
import {
  type Decode,
  exactly,
  type Fields,
  filledText,
  listOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import { Refusal, refuse } from '../../input/refusal.ts'
import { defaultHttpConfig } from '../fields/http-config.ts'

/** Another server whose alerts are shown beside those of this one: a Gatehouse or an Alertmanager. */
export interface OtherServer {
  /** The name that people see, at most 100 characters; no two servers share one. */
  name: string
  /** Where its paths begin, such as `https://alerts.paris.example.com`, without credentials. */
  url: string
  /** The address of its page, for people (default: none is shown). */
  externalUrl?: string
  /** The user name of HTTP basic authentication. */
  username?: string
  /** The password of this user. */
  password?: string
  /** A file with the password, read again for each request. */
  passwordFile?: string
  /** A bearer token. */
  token?: string
  /** A file with the token, read again for each request. */
  tokenFile?: string
  /** A PEM file with the CA certificates to trust (default: those of the machine). */
  caFile?: string
}

/** They cannot be a step of a path. */
const unusable: ReadonlySet<string> = new Set(['.', '..'])
/** The most servers. Each costs a request every few seconds while a page shows its alerts. */
export const maxOtherServers = 20
const maxNameLength = 100

/** Whether a text can be the name of another server: at most 100 characters, not blank, and neither `.` nor `..`. */
export function isOtherServerName(text: string): boolean {
  return text.trim() !== '' && text.length <= maxNameLength && !unusable.has(text)
}

const serverName: Decode<string> = (value) => {
  const name = filledText(value)
  return isOtherServerName(name)
    ? name
    : refuse(`a name of at most ${maxNameLength} characters`, value)
}

/** Whether a text can be the URL of another server: http or https, without credentials, query and fragment. */
export function isOtherServerUrl(text: string): boolean {
  return parseServerUrl(text) !== undefined
}

function parseServerUrl(text: string): string | undefined {
  const url = parseUrl(text)
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return undefined
  // An empty query has a question mark too, before paths that are appended.
  if (`${url.username}${url.password}` !== '' || /[?#]/.test(url.href)) return undefined
  return url.href.replace(/\/+$/, '')
}

/** A URL with credentials is not quoted: other options have their place. */
const serverUrl: Decode<string> = (value) =>
  parseServerUrl(rawText(value)) ??
  refuse('an http or https URL without credentials and query', value)

const fields: Fields<OtherServer> = {
  name: serverName,
  url: serverUrl,
  externalUrl: optional(serverUrl),
  username: optional(filledText),
  password: optional(filledText),
  passwordFile: optional(filledText),
  token: optional(filledText),
  tokenFile: optional(filledText),
  caFile: optional(filledText),
}
const oneServer = exactly<OtherServer>(fields)

const checkedServer: Decode<OtherServer> = (value) => {
  const server = oneServer(value)
  const { username, password, passwordFile, token, tokenFile } = server
  const isGiven = (one: string | undefined): boolean => one !== undefined
  const passwords = [password, passwordFile].filter(isGiven).length
  const tokens = [token, tokenFile].filter(isGiven).length
  if (passwords + tokens > 1)
    throw new Refusal('one of password, passwordFile, token and tokenFile', 'several')
  if (passwords !== (username === undefined ? 0 : 1))
    throw new Refusal('a username with its password or passwordFile', 'only one of both')
  return server
}

/** Decodes the servers of an option. */
export const otherServersInput: Decode<readonly OtherServer[]> = (value) => {
  const servers = listOf(checkedServer)(value)
  if (servers.length > maxOtherServers) return refuse(`at most ${maxOtherServers} servers`, value)
  const names = new Set<string>()
  for (const [index, { name }] of servers.entries()) {
    if (names.has(name))
      throw new Refusal('a name that no other server has', 'one of them').below(index)
    names.add(name)
  }
  return servers
}

/** How requests to a server are sent. They follow no redirects: the server does not decide where they go. */
export function connectionTo(server: OtherServer): HttpConfig {
  const { username, password, passwordFile = '', token, tokenFile = '', caFile } = server
  return {
    ...defaultHttpConfig,
    ...(username !== undefined && {
      basic_auth: {
        username,
        username_file: '',
        ...(password !== undefined && { password: new Secret(password) }),
        password_file: passwordFile,
      },
    }),
    ...((token !== undefined || tokenFile !== '') && {
      authorization: {
        type: 'Bearer',
        ...(token !== undefined && { credentials: new Secret(token) }),
        credentials_file: tokenFile,
      },
    }),
    ...(caFile !== undefined && {
      tls_config: {
        ca: '',
        cert: '',
        ca_file: caFile,
        cert_file: '',
        key_file: '',
        server_name: '',
        insecure_skip_verify: false,
      },
    }),
    follow_redirects: false,
  }
}
