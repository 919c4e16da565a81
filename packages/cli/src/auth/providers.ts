import type { LoadedAuthConfig } from '@gatehouse/core/auth'
import type { ConfigProblem } from '@gatehouse/core/config'
import { nearestKey } from '../config/nearest-key.ts'
import type { PlacedText } from '../config/outside-text.ts'
import type { OAuthSecretSection } from './oauth.ts'
import type { AuthPortSettings } from './ports.ts'

/** Secrets that belong to no provider of the document, or are not of the sort it takes. */
export function secretProblems(
  secrets: readonly OAuthSecretSection[],
  { identity }: LoadedAuthConfig,
): readonly ConfigProblem[] {
  const { providers } = identity.oauth
  const aliases = providers.map(({ alias }) => alias)
  return secrets.flatMap(({ alias, private_key: key, private_key_file: file }) => {
    const provider = providers.find((one) => one.alias === alias.written)
    if (provider === undefined) return [problemOf(alias, unknownAlias(alias.written, aliases))]
    const place = key ?? file
    if (place === undefined || provider.type === 'apple') return []
    return [problemOf(place, `is for apple alone: type: ${provider.type} has a client_secret`)]
  })
}

function unknownAlias(alias: string, known: readonly string[]): string {
  const nearest = nearestKey(alias, known)
  const suggestion = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return `no identity provider has the alias ${JSON.stringify(alias)}${suggestion}`
}

const problemOf = ({ path, line, column }: PlacedText, message: string): ConfigProblem => ({
  path,
  line,
  column,
  message,
})

/** Providers that nobody can sign in by, a sentence each. */
export function providerWarnings(
  { identity }: LoadedAuthConfig,
  { credentials }: Pick<AuthPortSettings, 'credentials'>,
): readonly string[] {
  return identity.oauth.providers.flatMap(({ alias, credentials_behavior: behavior }) => {
    const nobody = `nobody can sign in by the identity provider "${alias}"`
    if (behavior === 'use_demo_credentials') {
      return [`${nobody}: it is to use credentials for trying, and there are none here`]
    }
    if (Object.hasOwn(credentials, alias)) return []
    return [`${nobody}: auth.oauth has no secret for it`]
  })
}
