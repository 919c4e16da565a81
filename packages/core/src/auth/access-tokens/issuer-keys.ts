import { errorText } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { JsonObject } from '../../storage/storage.ts'
import { createKeySet, type KeySet, readKeys } from '../external-jwt/key-sets.ts'
import { textOf } from '../oauth-client/json-object.ts'
import { oauthProtocolError } from '../oauth-client/oauth-errors.ts'
import type { SiteAccess } from '../oauth-client/site-access.ts'

const documentName = "the issuer's metadata"
/** How long the address of the keys is kept. */
const maxAddressMs = 60 * 60_000

/** An issuer that publishes its keys. */
export interface KeyIssuer {
  readonly issuer: string
  /** Where the keys are (default: as its metadata says). */
  readonly jwksUri: string | undefined
  /** Gets a warning when they cannot be fetched. */
  readonly logger: Logger
}

/** The published keys of an issuer. */
export function createIssuerKeys(site: SiteAccess, { issuer, jwksUri, logger }: KeyIssuer): KeySet {
  const { clock, fetchKeys } = site
  let known: { readonly at: number; readonly uri: string } | undefined
  const address = async (): Promise<string> => {
    if (jwksUri !== undefined) return jwksUri
    const at = clock.monotonic()
    if (known === undefined || at - known.at >= maxAddressMs) {
      known = { at, uri: await discover(site, issuer) }
    }
    return known.uri
  }
  return createKeySet(clock, async () => {
    try {
      return await readKeys(await fetchKeys(await address()))
    } catch (err) {
      // They may have moved.
      known = undefined
      logger.warn(
        { issuer, error: errorText(err) },
        'the keys of an issuer of access tokens cannot be fetched',
      )
      throw err
    }
  })
}

/** @throws {GatehouseError} `OAuthProtocolError` */
async function discover({ http }: SiteAccess, issuer: string): Promise<string> {
  const [first, second] = metadataUrls(issuer)
  const metadata = await http
    .getDocument(documentName, first)
    .catch(() => http.getDocument(documentName, second))
  return keysOf(metadata, issuer)
}

/** Most issuers publish the document of OpenID Connect, some only that of OAuth. */
function metadataUrls(issuer: string): readonly [openId: string, oauth: string] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    // @see OpenID Connect Discovery 1.0, section 4
    `${origin}${path}/.well-known/openid-configuration`,
    // @see RFC 8414, section 3.1
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]
}

/** @see RFC 8414, section 3.3 */
function keysOf(metadata: JsonObject, issuer: string): string {
  if (metadata.issuer !== issuer) {
    throw oauthProtocolError(`${documentName} belongs to another issuer`)
  }
  const uri = textOf(metadata, 'jwks_uri')
  if (uri === undefined) throw oauthProtocolError(`${documentName} names no jwks_uri`)
  return uri
}
