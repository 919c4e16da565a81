import type { LoadedAuthConfig } from '@gatehouse/core/auth'
import { type DocumentProblem, problemAt } from '@gatehouse/core/document'
import type { Passkeys } from '@gatehouse/core/passkeys'
import { loadIfInstalled } from '../load-if-installed.ts'
import { verifiedTypes } from './bot-protection.ts'
import type { AuthDocument } from './document.ts'

/** Imports of optional packages. */
export interface PackageLoaders {
  readonly passkeys: () => Promise<{ createPasskeys(): Passkeys }>
  readonly oauth4webapi: () => Promise<object>
  readonly ldapts: () => Promise<object>
}

const installed: PackageLoaders = {
  passkeys: () => import('@gatehouse/core/passkeys'),
  oauth4webapi: () => import('oauth4webapi'),
  ldapts: () => import('ldapts'),
}

/** The secrets that the section has. */
export interface AuthSecrets {
  readonly hasBotSecret: boolean
  readonly hasHookSecret: boolean
}

/** The optional ports that a document needs. */
export interface AuthNeeds {
  /** The passkey verifier; `undefined` if the document does not use passkeys. */
  readonly passkeys: Passkeys | undefined
  /** Needs that are not met. */
  readonly problems: readonly DocumentProblem[]
}

/** Loads the packages that a document needs, and reports missing ones. */
export async function findAuthNeeds(
  document: AuthDocument,
  config: LoadedAuthConfig,
  { hasBotSecret, hasHookSecret }: AuthSecrets,
  loaders: PackageLoaders = installed,
): Promise<AuthNeeds> {
  const passkeys = await loadPasskeys(config, loaders)
  const problems = [
    ...(passkeys === 'missing' ? [passkeysMissing(document)] : []),
    ...(await missingLibraries(document, config, loaders)),
    ...botProtectionProblems(document, config, hasBotSecret),
    ...(hasHookSecret ? [] : hookProblems(document, config)),
  ]
  return { passkeys: passkeys === 'missing' ? undefined : passkeys, problems }
}

async function loadPasskeys(
  { authentication }: LoadedAuthConfig,
  { passkeys: load }: PackageLoaders,
): Promise<Passkeys | 'missing' | undefined> {
  if (!authentication.identities.includes('passkey')) return undefined
  const module = await loadIfInstalled('@simplewebauthn/server', load)
  return module?.createPasskeys() ?? 'missing'
}

const needAt = (
  { node }: AuthDocument,
  path: readonly string[],
  message: string,
): DocumentProblem => problemAt(node, path, { code: 'conflict', message })

const passkeysMissing = (document: AuthDocument): DocumentProblem =>
  needAt(
    document,
    ['authentication', 'identities'],
    'passkey needs the package "@simplewebauthn/server", which is not installed: npm install @simplewebauthn/server@14',
  )

/** These providers identify users without signed tokens. */
const withoutTokens: readonly string[] = ['facebook', 'github', 'wechat']

/** The packages that sections of a document need and that are not installed. */
async function missingLibraries(
  document: AuthDocument,
  { identity }: LoadedAuthConfig,
  { oauth4webapi, ldapts }: PackageLoaders,
): Promise<readonly DocumentProblem[]> {
  const hasTokens = identity.oauth.providers.some(({ type }) => !withoutTokens.includes(type))
  const needs = [
    { is: hasTokens, path: ['identity', 'oauth', 'providers'], name: 'oauth4webapi', major: 3 },
    {
      is: identity.ldap.servers.length > 0,
      path: ['identity', 'ldap', 'servers'],
      name: 'ldapts',
      major: 8,
    },
  ] as const
  const loaders = { oauth4webapi, ldapts }
  const problems: DocumentProblem[] = []
  for (const { is, path, name, major } of needs) {
    if (!is || (await loadIfInstalled(name, loaders[name])) !== undefined) continue
    const message = `need the package "${name}", which is not installed: npm install ${name}@${major}`
    problems.push(needAt(document, path, message))
  }
  return problems
}

function hookProblems(
  document: AuthDocument,
  { hook }: LoadedAuthConfig,
): readonly DocumentProblem[] {
  const urls = [...hook.blocking_handlers, ...hook.non_blocking_handlers].map(({ url }) => url)
  if (!urls.some((url) => /^https?:/.test(url))) return []
  const message = `needs the section auth to have hook_secret: "\${env:NAME}"`
  return [needAt(document, ['hook'], message)]
}

function botProtectionProblems(
  document: AuthDocument,
  { bot_protection: { enabled, provider } }: LoadedAuthConfig,
  hasSecret: boolean,
): readonly DocumentProblem[] {
  if (!enabled || provider === undefined) return []
  const { type } = provider
  if (!verifiedTypes.includes(type)) {
    const message = `"${type}" is not supported; supported: ${verifiedTypes.join(', ')}`
    return [needAt(document, ['bot_protection', 'provider', 'type'], message)]
  }
  if (hasSecret) return []
  const message = `needs the section auth to have bot_protection: { secret_key: "\${env:NAME}" }`
  return [needAt(document, ['bot_protection'], message)]
}
