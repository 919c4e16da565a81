import type { Action, Authorize, Resource, Subject } from '@gatehouse/core/adapter'
import {
  createMatcher,
  isCoveredBy,
  type Matcher,
  type MatcherMode,
  parseMatcher,
} from '@gatehouse/core/alerts'
import type { Sound } from '@gatehouse/core/document'
import { messageOf } from '../config/failure.ts'
import { type AccessSection, builtInRoles, isSeen } from './access-section.ts'
import { actingKind } from './identify.ts'

interface Role {
  readonly actions: ReadonlySet<Action>
  readonly silences: readonly Matcher[] | undefined
  readonly webhooks: ReadonlySet<string> | undefined
}

/**
 * Decides by the roles of a subject, which the program that identified it has looked up. An operator who acts as a user sees what
 * the user sees, and changes nothing.
 *
 * @throws {GatehouseError} `InvalidMatcher`; {@link badMatchers} finds all of them before.
 */
export function createAuthorize(
  { roles, anonymous }: Pick<AccessSection, 'roles' | 'anonymous'>,
  mode: MatcherMode,
): Authorize {
  const all = new Map<string, Role>()
  for (const [name, { actions, silences, webhooks }] of [...builtInRoles, ...roles]) {
    all.set(name, {
      actions: new Set(actions),
      silences: silences?.map((text) => parseMatcher(text, mode)),
      webhooks: webhooks && new Set(webhooks),
    })
  }
  return (subject, action, resource) => {
    const isActing = subject?.kind === actingKind
    if (isActing && !isSeen(action)) return false
    const names = namesOf(subject, action, anonymous)
    return names.some((name) => {
      const role = all.get(name)
      // A role that reaches some webhooks might reach other ones than the operator's own.
      if (isActing && role?.webhooks !== undefined && action.startsWith('webhooks:')) return false
      return role?.actions.has(action) === true && reaches(role, action, resource)
    })
  }
}

/**
 * The roles of a subject. A session has those of unknown senders too: browsers send its cookie with each request, so to sign in
 * would take rights away. Unknown senders have no rights to webhooks.
 */
function namesOf(
  subject: Subject | undefined,
  action: Action,
  anonymous: readonly string[],
): readonly string[] {
  if (subject === undefined) return anonymous
  const own = subject.roles ?? []
  return isOfSession(subject) && !action.startsWith('webhooks:') ? [...own, ...anonymous] : own
}

const isOfSession = ({ kind }: Subject): boolean => kind === 'session' || kind === actingKind

/** The matchers of roles that cannot be parsed, with their places in the section. */
export function badMatchers(
  { roles }: Sound<AccessSection>,
  mode: MatcherMode,
): readonly { readonly path: readonly (string | number)[]; readonly message: string }[] {
  return [...(roles ?? [])].flatMap(([name, role]) =>
    (role?.silences ?? []).flatMap((text, index) => {
      try {
        if (text !== undefined) parseMatcher(text, mode)
        return []
      } catch (error) {
        return [{ path: ['roles', name, 'silences', index], message: messageOf(error) }]
      }
    }),
  )
}

/** Whether a resource is within the limits of a role. */
function reaches(
  { silences, webhooks }: Role,
  action: Action,
  resource: Resource | undefined,
): boolean {
  if (action.startsWith('silences:') && silences !== undefined) {
    // Without a silence, the question is whether there are any that the role reaches.
    if (resource === undefined) return true
    return resource.kind === 'silence' && isCoveredBy(matchersOf(resource), silences)
  }
  if (action.startsWith('webhooks:') && webhooks !== undefined) {
    // To read without a webhook is to read the runs of all.
    if (resource === undefined) return action !== 'webhooks:read'
    return resource.kind === 'webhook' && webhooks.has(resource.id)
  }
  return true
}

const matchersOf = ({ matchers }: Extract<Resource, { kind: 'silence' }>): readonly Matcher[] =>
  matchers.map(({ name, value, isRegex, isEqual }) =>
    createMatcher(name, isRegex ? (isEqual ? '=~' : '!~') : isEqual ? '=' : '!=', value),
  )
