import type { LoadedAuthConfig } from '@gatehouse/core/auth'
import {
  type ConfigNode,
  type DocumentProblem,
  nearestWord,
  nodeAt,
  problemAt,
} from '@gatehouse/core/document'
import type { AuthPortSettings } from './ports.ts'

/** Problems of secrets: no provider of the document has the alias, or the provider needs another kind of secret. */
export function secretProblems(
  root: ConfigNode,
  aliases: Iterable<string>,
  { identity }: LoadedAuthConfig,
): readonly DocumentProblem[] {
  const { providers } = identity.oauth
  const known = providers.map(({ alias }) => alias)
  return [...aliases].flatMap((alias) => {
    const path = ['auth', 'oauth', alias]
    const provider = providers.find((one) => one.alias === alias)
    if (provider === undefined) {
      const message = unknownAlias(alias, known)
      return [problemAt(root, path, { code: 'conflict', message, isAtKey: true })]
    }
    const keys = ['private_key', 'private_key_file']
    const key = keys.find((one) => nodeAt(root, ...path, one) !== undefined)
    if (key === undefined || provider.type === 'apple') return []
    const message = `is only for apple; type: ${provider.type} needs client_secret`
    return [problemAt(root, [...path, key], { code: 'conflict', message })]
  })
}

function unknownAlias(alias: string, known: readonly string[]): string {
  const nearest = nearestWord(alias, known)
  const suggestion = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return `no identity provider has the alias ${JSON.stringify(alias)}${suggestion}`
}

/** Warnings about providers that cannot be used for sign-in, one sentence each. */
export function providerWarnings(
  { identity }: LoadedAuthConfig,
  { credentials }: Pick<AuthPortSettings, 'credentials'>,
): readonly string[] {
  return identity.oauth.providers.flatMap(({ alias, credentials_behavior: behavior }) => {
    const nobody = `nobody can sign in with the identity provider "${alias}"`
    if (behavior === 'use_demo_credentials') {
      return [`${nobody}: it uses demo credentials, and there are none here`]
    }
    if (Object.hasOwn(credentials, alias)) return []
    return [`${nobody}: auth.oauth has no secret for it`]
  })
}
