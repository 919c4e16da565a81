import { resolve } from 'node:path'
import {
  isOtherServerName,
  isOtherServerUrl,
  maxOtherServers,
  type OtherServer,
} from '@gatehouse/core/alerts'
import {
  checked,
  filledText,
  listOf,
  mapping,
  optional,
  required,
  type Schema,
  textLike,
} from '@gatehouse/core/document'

/** An entry of `alerts.other_servers`. */
export interface OtherServerEntry {
  readonly name: string
  readonly url: string
  readonly external_url: string | undefined
  readonly username: string | undefined
  readonly password_file: string | undefined
  readonly token_file: string | undefined
  readonly ca_file: string | undefined
}

const serverUrl: Schema<string> = textLike(
  isOtherServerUrl,
  'an http or https URL without credentials and query',
)
const serverName: Schema<string> = textLike(isOtherServerName, 'a name of at most 100 characters')

const serverParts: Schema<OtherServerEntry> = mapping<OtherServerEntry>(
  {
    name: required(serverName, 'The name that people see.'),
    url: required(
      serverUrl,
      'Where its paths begin, such as `https://alerts.paris.example.com`: the server reads `/api/v2/alerts/groups` there.',
    ),
    external_url: optional(serverUrl, 'The address of its page, for a link. Default: no link.'),
    username: optional(filledText, 'The user name of HTTP basic authentication.'),
    password_file: optional(filledText, 'A file with the password, read for each request.'),
    token_file: optional(filledText, 'A file with a bearer token, read for each request.'),
    ca_file: optional(
      filledText,
      'A PEM file with the CA certificates to trust. Default: those of the machine.',
    ),
  },
  { title: 'OtherServer' },
)

const server: Schema<OtherServerEntry> = checked(serverParts, ({ value, isBroken, report }) => {
  const isThere = (key: keyof OtherServerEntry): boolean =>
    value[key] !== undefined || isBroken(key)
  if (isThere('token_file') && isThere('password_file'))
    report(['token_file'], 'conflict', 'set token_file or password_file, not both')
  if (isThere('username') !== isThere('password_file'))
    report([], 'required', 'set username and password_file, or neither')
})

/** The schema of `alerts.other_servers`. */
export const otherServersSection: Schema<readonly OtherServerEntry[]> = checked(
  listOf(server),
  ({ value, report }) => {
    if (value.length > maxOtherServers)
      report([], 'out_of_range', `must have at most ${maxOtherServers} servers`)
    const names = new Set<string>()
    for (const [index, entry] of value.entries()) {
      const name = entry?.name
      if (name === undefined) continue
      if (names.has(name))
        report([index, 'name'], 'conflict', 'another server has this name already')
      names.add(name)
    }
  },
)

/** The entries as the service takes them. Paths are relative to the directory of the file. */
export const otherServersOf = (
  entries: readonly OtherServerEntry[],
  directory: string,
): readonly OtherServer[] => {
  const at = (path: string | undefined): string | undefined => path && resolve(directory, path)
  return entries.map(
    ({ name, url, external_url, username, password_file, token_file, ca_file }) => {
      const given = {
        externalUrl: external_url,
        username,
        passwordFile: at(password_file),
        tokenFile: at(token_file),
        caFile: at(ca_file),
      }
      const isGiven = ([, value]: [string, unknown]): boolean => value !== undefined
      return { name, url, ...Object.fromEntries(Object.entries(given).filter(isGiven)) }
    },
  )
}
