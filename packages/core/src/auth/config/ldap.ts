import {
  built,
  checked,
  filledText,
  flag,
  mapping,
  optional,
  parsedText,
  required,
  type Schema,
  text,
  textLike,
  withDefault,
} from '../../document/schema.ts'
import { parseUrl } from '../../http/parse-url.ts'
import type { LdapServer } from '../ldap-client/ldap.ts'
import { searchFilter } from '../ldap-client/search-filter.ts'
import type { LoadedAuthConfig } from './config.ts'
import { distinctBy, section } from './values.ts'

const ldapUrl = textLike((written) => {
  const url = parseUrl(written)
  return url !== undefined && /^ldaps?:$/.test(url.protocol) && url.hostname !== ''
}, 'an ldap: or ldaps: address')

const serverName = textLike(
  (written) => /^[\w.-]{1,64}$/.test(written),
  'up to 64 letters, digits, _, . and -',
)

const attributeName = textLike(
  (written) => /^(?:[A-Za-z]|\d+\.\d)[\w;.-]{0,127}$/.test(written),
  'an attribute, by its name or its OID',
)

/** A filter that depends on the user name. Otherwise every name would sign in as the one user that it finds. */
const filterTemplate: Schema<string> = parsedText((written, report) => {
  const [a, b] = ['a', 'b'].map((name) => filterOf(written, name))
  if (a === undefined || b === undefined || a === b || !/^\(.*\)$/s.test(a)) {
    return report('out_of_range', 'must be a filter such as (uid={{ .Username }})')
  }
  return written
}, filledText)

function filterOf(template: string, username: string): string | undefined {
  try {
    return searchFilter(template, username)
  } catch {
    return undefined
  }
}

/** Authgear calls the base `base_dn`. */
interface WrittenServer extends Omit<LdapServer, 'search_base_dn'> {
  readonly search_base_dn: string | undefined
  readonly base_dn: string | undefined
}

const writtenServer = checked(
  mapping<WrittenServer>({
    name: required(serverName, 'The name that clients choose it by. Accounts keep it.'),
    url: required(ldapUrl, 'Its address, such as `ldaps://directory.example.com`.'),
    start_tls: withDefault(flag, false, 'Whether an `ldap:` connection begins TLS at once.'),
    search_base_dn: optional(text, 'Users are searched for below this entry.'),
    base_dn: optional(text, "Authgear's name for `search_base_dn`."),
    search_filter_template: required(
      filterTemplate,
      'The filter that finds a user, such as `(uid={{ .Username }})`. The name is escaped.',
    ),
    user_id_attribute_name: required(
      attributeName,
      'The attribute with the permanent id of a user, such as `entryUUID` or `objectGUID`.',
    ),
    claims: section(
      {
        email: section(
          {
            assume_verified: withDefault(flag, true, 'Whether the attribute `mail` is proven.'),
          },
          'The email address.',
        ),
      },
      'Claims of its users.',
    ),
  }),
  ({ value: { search_base_dn, base_dn }, isBroken, report }) => {
    const hasOwn = search_base_dn !== undefined || isBroken('search_base_dn')
    const hasOther = base_dn !== undefined || isBroken('base_dn')
    if (hasOwn && hasOther) report(['base_dn'], 'conflict', 'is another name of search_base_dn')
    if (!hasOwn && !hasOther) report(['search_base_dn'], 'required', 'is missing')
  },
)

const server: Schema<LdapServer> = built(
  writtenServer,
  ({ search_base_dn, base_dn = '', ...others }) => ({
    ...others,
    search_base_dn: search_base_dn ?? base_dn,
  }),
)

/** Directories that check passwords. */
export const ldap: Schema<LoadedAuthConfig['identity']['ldap']> = section(
  { servers: withDefault(distinctBy(server, { name: 'the server' }), [], 'The directories.') },
  'Directories that check passwords.',
)
