import { systemIds } from '../../crypto/ids.ts'
import { isGatehouseError } from '../../errors.ts'
import {
  type Decode,
  decodeInput,
  exactly,
  filledText,
  numberFrom,
  optional,
  rawText,
  recordOf,
} from '../../input/decode.ts'
import { claimAttributes, claimsOfEntry, idOfValue, type SearchedEntry } from './entry-claims.ts'
import type { LdapClient, LdapEntry, LdapLogin, LdapServer } from './ldap.ts'
import { ldapError } from './ldap-error.ts'
import { type LdapConnection, type LdapLibrary, loadLdapts } from './load-ldapts.ts'
import { searchFilter } from './search-filter.ts'

/** The account that searches a directory. */
export interface LdapCredentials {
  /** Its distinguished name, such as `cn=gatehouse,dc=example,dc=com`. */
  dn: string
  password: string
}

/** Options of {@link createLdapClient}. */
export interface LdapClientOptions {
  /** The account that searches, by the name of the server (default: the search is anonymous). */
  credentials?: { readonly [server: string]: LdapCredentials }
  /** Certificates of the authorities that sign those of servers, as PEM, by the name of the server (default: those of Node.js). */
  ca?: { readonly [server: string]: string }
  /** The timeout of connecting and of each answer, in ms (default 10 s). */
  timeoutMs?: number
}

const decodeOptions: Decode<LdapClientOptions> = exactly<LdapClientOptions>({
  credentials: optional(recordOf(exactly<LdapCredentials>({ dn: filledText, password: rawText }))),
  ca: optional(recordOf(filledText)),
  timeoutMs: optional(numberFrom(1)),
})

/**
 * Creates a client for the directories of `identity.ldap.servers`. Each check opens a connection of its own, which binds as the
 * searching account, searches the user and binds as the user. Needs the package `ldapts`.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid.
 * @see RFC 4511; RFC 4513
 */
export function createLdapClient(given: LdapClientOptions = {}): LdapClient {
  const options = decodeInput('options', decodeOptions, given)
  return Object.freeze<LdapClient>({
    async authenticate(server, login) {
      // A bind without a password always succeeds. @see RFC 4513, section 5.1.2
      if (login.password === '' || login.username === '') return undefined
      const library = await loadLdapts()
      const timeout = options.timeoutMs ?? 10_000
      const client = new library.Client({
        url: server.url,
        timeout,
        connectTimeout: timeout,
        strictDN: false,
        // With these options the package begins TLS on any port.
        ...(/^ldaps:/i.test(server.url) ? { tlsOptions: tlsOf(server, options) } : {}),
      })
      try {
        return await check(library, client, server, login, options)
      } catch (error) {
        if (isGatehouseError(error)) throw error
        throw ldapError(server.name, `could not be asked (${nameOf(error)})`)
      } finally {
        // The connection may be broken already.
        await client.unbind().catch(() => undefined)
      }
    },
  })
}

/** How the certificate of a server is checked. */
interface TlsOptions {
  readonly host: string
  readonly ca?: string
}

function tlsOf({ name, url }: LdapServer, { ca = {} }: LdapClientOptions): TlsOptions {
  // Without it, StartTLS compares the certificate with "localhost".
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
  const own = ca[name]
  return own === undefined ? { host } : { host, ca: own }
}

async function check(
  library: LdapLibrary,
  client: LdapConnection,
  server: LdapServer,
  { username, password }: LdapLogin,
  options: LdapClientOptions,
): Promise<LdapEntry | undefined> {
  if (server.start_tls) await client.startTLS(tlsOf(server, options))
  const account = options.credentials?.[server.name]
  if (account !== undefined) await client.bind(account.dn, account.password)
  const entry = await search(client, server, username)
  // The directory also checks a password for users who do not exist, so that both take about the same time.
  const dn = entry?.dn ?? `cn=${systemIds.random()},${server.search_base_dn}`
  const isRight = await bindsAs(library, client, dn, password)
  if (entry === undefined || !isRight) return undefined
  const id = idOfValue(entry[server.user_id_attribute_name])
  if (id === undefined) throw ldapError(server.name, 'has no user id in the entry')
  return { user_id: id, dn: entry.dn, claims: claimsOfEntry(entry) }
}

/** The only entry that matches. */
async function search(
  client: LdapConnection,
  server: LdapServer,
  username: string,
): Promise<SearchedEntry | undefined> {
  const { searchEntries: found } = await client.search(server.search_base_dn, {
    scope: 'sub',
    filter: searchFilter(server.search_filter_template, username),
    sizeLimit: 2,
    attributes: [...claimAttributes, server.user_id_attribute_name],
    explicitBufferAttributes: [server.user_id_attribute_name],
  })
  return found.length === 1 ? found[0] : undefined
}

/** Result codes that say of a user, not of the directory: wrong password, locked, disabled. @see RFC 4511, section 4.1.9 */
const refusals: ReadonlySet<number> = new Set([19, 48, 49, 50, 53])

async function bindsAs(
  { ResultCodeError }: LdapLibrary,
  client: LdapConnection,
  dn: string,
  password: string,
): Promise<boolean> {
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (error instanceof ResultCodeError && refusals.has(error.code)) return false
    throw error
  }
}

/** The kind of an error; its message may contain data of the directory. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name
}
