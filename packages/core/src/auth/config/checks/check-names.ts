import type { Path } from '../../../document/decode-document.ts'
import { quoteKey } from '../../../document/problem.ts'
import type { Checking, Sound } from '../../../document/schema.ts'
import { nearestWord } from '../../../input/suggestion.ts'
import { isStandardPointer } from '../../accounts/user-profile.ts'
import type { AuthDocument } from '../auth-document.ts'
import type { FlowName } from '../config.ts'
import type { IdentifyBranch, Step } from '../flow-definition.ts'
import { type Placed, placedBranches, placedSteps, type SoundSteps } from '../flows/all-steps.ts'
import { flowGrammars } from '../flows/flow-grammar.ts'

/** How many names may be compared to find out what was meant, in one document. */
const maxComparisons = 100_000

/** `undefined` if they are not sound, so that nothing is judged by them. */
type Names = ReadonlySet<string> | undefined

function namesOf<T>(
  items: readonly (T | undefined)[] | undefined,
  nameOf: (item: T) => string | undefined,
): Names {
  const names = items?.map((item) => (item === undefined ? undefined : nameOf(item)))
  return names && new Set(names.filter((name) => name !== undefined))
}

/** Checks whether names are known. `what` is as `there is no group`. */
interface References {
  /** Reports an unknown name. */
  check(name: string | undefined, known: Names, what: string, path: Path): void
  /** Warns of a rule for an unknown name: it links nothing. Authgear accepts it. */
  checkRule(source: string | undefined, known: Names, what: string, path: Path): void
}

function checkReferences({
  report,
  warn,
}: Pick<Checking<AuthDocument>, 'report' | 'warn'>): References {
  let comparisons = maxComparisons

  const problemOf = (name: string | undefined, known: Names, what: string): string | undefined => {
    if (name === undefined || known === undefined || known.has(name)) return undefined
    comparisons -= known.size
    const nearest = comparisons < 0 ? undefined : nearestWord(name, known)
    const suggestion = nearest === undefined ? '' : `; did you mean "${nearest}"?`
    return `${what} ${quoteKey(name)}${suggestion}`
  }

  return {
    check(name, known, what, path) {
      const problem = problemOf(name, known, what)
      if (problem !== undefined) report(path, 'unresolved_reference', problem)
    },

    checkRule(source, known, what, path) {
      const problem = problemOf(source, known, what)
      if (problem !== undefined) warn(path, `the rule has no effect: ${problem}`)
    },
  }
}

/** Every flow, step, group, attribute, rule, provider and key that is named must be there. */
export function checkNames({ value, report, warn }: Checking<AuthDocument>): void {
  const { authentication_flow, account_linking, ui, oauth, user_profile } = value
  const references = checkReferences({ report, warn })
  const { check } = references

  const lists = Object.entries(flowGrammars).map(([key, { type }]) => ({
    key,
    type,
    // The keys of the table.
    flows: authentication_flow?.[key as keyof typeof flowGrammars],
  }))
  const declared = new Map(
    lists.map(({ type, flows }) => [type, namesOf(flows, ({ name }) => name)]),
  )
  const checkFlowName = (
    type: FlowName['type'] | undefined,
    name: string | undefined,
    path: Path,
  ): void => {
    if (type === undefined || name === 'default') return
    check(name, declared.get(type), `there is no ${type} flow`, path)
  }
  const checkFlowNames = (
    flows: readonly (Sound<FlowName> | undefined)[] | undefined,
    path: Path,
  ): void => {
    for (const [index, flow] of flows?.entries() ?? []) {
      checkFlowName(flow?.type, flow?.name, [...path, index, 'name'])
    }
  }

  const rules = {
    oauth: namesOf(account_linking?.oauth, ({ name }) => name),
    login_id: namesOf(account_linking?.login_id, ({ name }) => name),
  }
  const checkBranch = ({ part, path }: Placed<IdentifyBranch>): void => {
    for (const type of ['signup', 'login'] as const) {
      const key = `${type}_flow` as const
      checkFlowName(type, part[key], [...path, key])
    }
    for (const sort of ['oauth', 'login_id'] as const) {
      for (const [index, one] of part.account_linking?.[sort]?.entries() ?? []) {
        const at = [...path, 'account_linking', sort, index]
        check(one?.name, rules[sort], `account_linking.${sort} has no rule`, [...at, 'name'])
        checkFlowName('login', one?.login_flow, [...at, 'login_flow'])
      }
    }
  }

  const attributes = namesOf(user_profile?.custom_attributes?.attributes, ({ pointer }) => pointer)

  const checkFlow = (given: SoundSteps, path: Path): void => {
    const steps = [...placedSteps(given, path)]
    const checkTarget = targetCheck(steps, references, report)
    for (const step of steps) {
      const { part, path: at } = step
      checkAttributes(step, attributes, references)
      if (part.type === 'verify') checkTarget(part.target_step, 'identify', [...at, 'target_step'])
      if (part.type === 'change_password') {
        checkTarget(part.target_step, 'authenticate', [...at, 'target_step'])
      }
      for (const branch of placedBranches(step)) {
        checkBranch(branch)
        checkTarget(branch.part.target_step, 'identify', [...branch.path, 'target_step'])
      }
    }
  }
  for (const { key, flows } of lists) {
    for (const [index, flow] of flows?.entries() ?? []) {
      checkFlow(flow?.steps ?? [], ['authentication_flow', key, index, 'steps'])
    }
  }

  const groups = ui?.authentication_flow?.groups
  const groupNames = namesOf(groups, ({ name }) => name)
  const groupsAt = ['ui', 'authentication_flow', 'groups']
  for (const [index, group] of groups?.entries() ?? []) {
    checkFlowNames(group?.flows, [...groupsAt, index, 'flows'])
  }
  for (const [index, client] of oauth?.clients?.entries() ?? []) {
    const list = client?.x_authentication_flow_allowlist
    const path = ['oauth', 'clients', index, 'x_authentication_flow_allowlist']
    checkFlowNames(list?.flows, [...path, 'flows'])
    for (const [at, group] of list?.groups?.entries() ?? []) {
      if (group?.name === 'default') continue
      check(group?.name, groupNames, 'there is no group', [...path, 'groups', at, 'name'])
    }
  }

  checkLinkingRules(value, references)
}

/** Checks that a step names a step of its flow, and that this has the type. */
function targetCheck(
  steps: readonly Placed<Step>[],
  { check }: References,
  report: Checking<AuthDocument>['report'],
): (name: string | undefined, type: string, at: Path) => void {
  const types = new Map<string, Set<unknown>>()
  for (const { part } of steps) {
    const { name, type } = part
    if (name !== undefined) types.set(name, (types.get(name) ?? new Set()).add(type))
  }
  const names = new Set(types.keys())
  return (name, type, at) => {
    check(name, names, 'no step of this flow is named', at)
    if (name === undefined || types.get(name)?.has(type) !== false) return
    report(at, 'conflict', `must name a step ${type}`)
  }
}

function checkAttributes({ part, path }: Placed<Step>, known: Names, { check }: References): void {
  if (part.type !== 'fill_in_user_profile') return
  for (const [index, field] of part.user_profile?.entries() ?? []) {
    const pointer = field?.pointer
    if (pointer === undefined || isStandardPointer(pointer)) continue
    const at = [...path, 'user_profile', index, 'pointer']
    check(pointer, known, 'there is no attribute', at)
  }
}

function checkLinkingRules(
  { account_linking, identity }: Checking<AuthDocument>['value'],
  { checkRule }: References,
): void {
  const aliases = namesOf(identity?.oauth?.providers, ({ alias }) => alias)
  for (const [index, rule] of account_linking?.oauth?.entries() ?? []) {
    const path = ['account_linking', 'oauth', index, 'alias']
    checkRule(rule?.alias, aliases, 'there is no provider', path)
  }
  const keys = namesOf(identity?.login_id?.keys, ({ key, type }) => key ?? type)
  for (const [index, rule] of account_linking?.login_id?.entries() ?? []) {
    const path = ['account_linking', 'login_id', index, 'key']
    checkRule(rule?.key, keys, 'there is no login ID key', path)
  }
}
