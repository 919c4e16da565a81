import { type Fields, mappingOf, sectionOf, wholeOf } from '../../../document/fields.ts'
import {
  type Decode,
  findMember,
  memberOrSelf,
  type Place,
  report,
} from '../../../document/place.ts'
import { quoteKey } from '../../../document/problem.ts'
import { listOf } from '../../../document/values.ts'
import type { LoadedAuthConfig } from '../config.ts'
import { defaultAuthConfig } from '../default-config.ts'
import type { FlowDefinition, Step } from '../flow-definition.ts'
import { reportUnknownName } from '../names.ts'
import { rateLimit } from '../rate-limits.ts'
import { duration, objectName } from '../values.ts'
import { allSteps, branchesOf } from './all-steps.ts'
import { type FlowGrammar, type FurtherKinds, flowGrammars } from './flow-grammar.ts'
import type { DocumentNotes, FlowNotes } from './flow-notes.ts'
import { flowSteps } from './flow-steps.ts'
import { warnOfOpenDoors } from './open-doors.ts'

type Flows = LoadedAuthConfig['authentication_flow']

const { authentication_flow: defaults } = defaultAuthConfig('', '')

/** A flow is kept in each of its states, so it is bounded. */
const mostParts = 500
const mostLevels = 10

type FlowLists = { readonly [Key in keyof typeof flowGrammars]: readonly FlowDefinition[] }

interface WrittenFlows extends FlowLists {
  readonly lifetime: number
  readonly rate_limits: Flows['rate_limits']
}

/** The section in which flows are declared. Names are noted, to be checked once all are known. */
export function authenticationFlow(notes: DocumentNotes, further: FurtherKinds): Decode<Flows> {
  const listsOf = (grammar: FlowGrammar): Decode<readonly FlowDefinition[]> =>
    listOf(flowOf(grammar, notes, further))
  const lists: Fields<FlowLists> = {
    signup_flows: listsOf(flowGrammars.signup_flows),
    promote_flows: listsOf(flowGrammars.promote_flows),
    login_flows: listsOf(flowGrammars.login_flows),
    signup_login_flows: listsOf(flowGrammars.signup_login_flows),
    reauth_flows: listsOf(flowGrammars.reauth_flows),
    account_recovery_flows: listsOf(flowGrammars.account_recovery_flows),
  }
  const written = mappingOf<WrittenFlows>({
    ...lists,
    lifetime: duration(),
    rate_limits: sectionOf(defaults.rate_limits, { per_ip: rateLimit }),
  })
  return (place) => {
    const {
      lifetime = defaults.lifetime_ms,
      rate_limits = defaults.rate_limits,
      ...flows
    } = written(place) ?? {}
    return { lifetime_ms: lifetime, rate_limits, flows: Object.values(flows).flat() }
  }
}

function flowOf(
  grammar: FlowGrammar,
  notes: DocumentNotes,
  further: FurtherKinds,
): Decode<FlowDefinition> {
  const { type } = grammar
  return (place) => {
    const flow: FlowNotes = { steps: new Map(), targets: [] }
    const written = wholeOf<{ readonly name: string; readonly steps: readonly Step[] }>(
      {
        name: flowName(grammar, notes),
        steps: flowSteps({ grammar, further, notes, flow }),
      },
      { required: ['name', 'steps'] },
    )(place)
    checkTargets(flow, notes)
    if (written === undefined) return undefined
    checkSize(memberOrSelf(place, 'steps'), written.steps)
    warnOfOpenDoors(memberOrSelf(place, 'steps'), type, written.steps)
    return { type, ...written }
  }
}

function flowName({ type }: FlowGrammar, { declared }: DocumentNotes): Decode<string> {
  const names = declared[type]
  return (place) => {
    const name = objectName(place)
    if (name === undefined) return undefined
    if (names.has(name)) {
      report(place, 'conflict', `a ${type} flow ${quoteKey(name)} is here already`)
    }
    names.add(name)
    return name
  }
}

function checkTargets({ steps, targets }: FlowNotes, { patience }: DocumentNotes): void {
  const known = new Set(steps.keys())
  for (const { place, name, types } of targets) {
    const found = steps.get(name)
    if (found === undefined) {
      reportUnknownName(place, 'no step of this flow is named', { name, known, patience })
    } else if (!types.some((type) => found.has(type))) {
      report(place, 'conflict', `must name a step ${types.join(' or ')}`)
    }
  }
}

function checkSize(place: Place, steps: readonly Step[]): void {
  if (levelsOf(steps) > mostLevels) {
    report(place, 'out_of_range', `are nested deeper than ${mostLevels} levels`)
  }
  if (countParts(steps) > mostParts) {
    report(place, 'out_of_range', `are more than ${mostParts} steps and branches`)
  }
  if (!hasIdentify(place)) {
    report(place, 'required', 'need a step identify that is in no branch')
  }
}

/** Whether one of the steps is to identify somebody, sound or not. */
function hasIdentify(place: Place): boolean {
  const { node } = place
  const items = node.kind === 'sequence' ? node.items : []
  return items.some((item) => {
    const type = findMember({ ...place, node: item }, 'type')
    return type?.node.kind === 'scalar' && type.node.text === 'identify'
  })
}

function levelsOf(steps: readonly Step[]): number {
  const nested = steps.flatMap(branchesOf).map((branch) => levelsOf(branch.steps ?? []))
  return steps.length === 0 ? 0 : 1 + nested.reduce((most, levels) => Math.max(most, levels), 0)
}

const countParts = (steps: readonly Step[]): number =>
  allSteps(steps).reduce((sum, step) => sum + 1 + branchesOf(step).length, 0)
