import type { PageLanguage } from '@gatehouse/core/auth'
import type { OidcResource, OidcScope } from '../config/options.ts'
import { isStandardScope, standardScopes } from '../config/settings.ts'
import { isolated, shortText } from './shown-text.ts'
import { textIn } from './text-in.ts'
import { wordsOf } from './words/languages.ts'

/** How much of the URI of an API is shown: one that has no name. */
const maxIdentifier = 120

/** What an app asks for, or was granted. */
export interface AskedFor {
  readonly scopes: readonly string[]
  /** Claims asked for by their names, beside those of the scopes. @see OpenID Connect Core, section 5.5 */
  readonly claims?: readonly string[] | undefined
  /** The scopes of each API. */
  readonly resources?:
    | readonly { readonly identifier: string; readonly scopes: readonly string[] }[]
    | undefined
}

/** Names of scopes and APIs for people. */
export interface ScopeNames {
  readonly scopes: ReadonlyMap<string, OidcScope>
  readonly resources: ReadonlyMap<string, OidcResource>
}

/** A group of the list: of the account, or of an API, which has a name. */
export interface AskedGroup {
  readonly api?: string | undefined
  readonly items: readonly string[]
}

/** What an app asks for in words: first of the account, then of each API. What has no words is shown by its name. */
export function askedInWords(
  { scopes, claims = [], resources = [] }: AskedFor,
  names: ScopeNames,
  language: PageLanguage,
): readonly AskedGroup[] {
  const ofAccount = [
    ...inOrder(scopes).map((scope) => scopeInWords(scope, names, language)),
    ...claims.map((claim) => claimInWords(claim, names, language)),
  ]
  const groups = resources.map(({ identifier, scopes: own }): AskedGroup => {
    const resource = names.resources.get(identifier)
    return {
      api: isolated(textIn(resource?.name, language) ?? shortText(identifier, maxIdentifier)),
      items: unique(
        own.map(
          (scope) =>
            textIn(ownValue(resource?.descriptions, scope), language) ??
            scopeInWords(scope, names, language),
        ),
      ),
    }
  })
  return [{ items: unique(ofAccount) }, ...groups].filter(({ items }) => items.length > 0)
}

function scopeInWords(scope: string, names: ScopeNames, language: PageLanguage): string {
  if (isStandardScope(scope)) return wordsOf[language].scopes[scope]
  return textIn(names.scopes.get(scope)?.description, language) ?? shortText(scope)
}

/** A claim has the name of its scope. */
function claimInWords(claim: string, names: ScopeNames, language: PageLanguage): string {
  const givesIt = ([, { claims }]: readonly [string, OidcScope]): boolean => claims.includes(claim)
  const standard = Object.entries(standardScopes).map(
    ([scope, claims]) => [scope, { claims }] as const,
  )
  const [scope] = [...standard, ...names.scopes].find(givesIt) ?? []
  return scope === undefined ? shortText(claim) : scopeInWords(scope, names, language)
}

/** Access in one's absence weighs most, and so stands last, beside the answer. */
const inOrder = (scopes: readonly string[]): readonly string[] =>
  [...scopes].sort((a, b) => Number(a === offlineAccess) - Number(b === offlineAccess))

const offlineAccess = 'offline_access'

const unique = (items: readonly string[]): readonly string[] => [...new Set(items)]

/** A scope may be called as a member that every object has. */
const ownValue = <T>(values: Readonly<Record<string, T>> = {}, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
