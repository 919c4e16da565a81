import {
  type Checking,
  checked,
  mapping,
  required,
  type Schema,
  withDefault,
} from '../../../document/schema.ts'
import type { LoadedAuthConfig } from '../config.ts'
import type { DeclaredFlowType, FlowDefinition, Step } from '../flow-definition.ts'
import { limited, perMinute } from '../rate-limits.ts'
import { distinctBy, duration, objectName, section } from '../values.ts'
import { placedBranches, placedSteps, type SoundSteps } from './all-steps.ts'
import { flowGrammars } from './flow-grammar.ts'
import { flowSteps } from './flow-steps.ts'

/** A flow is kept in each of its states, so it is bounded. */
const maxParts = 500
const maxLevels = 10

type WrittenFlow = Pick<FlowDefinition, 'name' | 'steps'>

/** The section as it is written. */
export interface WrittenFlows
  extends Readonly<Record<keyof typeof flowGrammars, readonly WrittenFlow[]>> {
  readonly lifetime: number
  readonly rate_limits: LoadedAuthConfig['authentication_flow']['rate_limits']
}

function flowsOf(
  type: DeclaredFlowType,
  steps: Schema<readonly Step[]>,
  { title, description }: { readonly title: string; readonly description: string },
): Schema<readonly WrittenFlow[]> {
  const flow = mapping<WrittenFlow>(
    {
      name: required(objectName, 'Letters, digits and `_`. `default` replaces the generated flow.'),
      steps: required(steps, 'The steps of the flow.'),
    },
    { title, isOpen: true },
  )
  return withDefault(
    distinctBy(checked(flow, checkFlow), { name: `a ${type} flow` }),
    [],
    `${description} Default: none.`,
  )
}

const signupSteps = flowSteps(flowGrammars.signup_flows, 'Signup')

/** The section in which flows are declared. */
export const authenticationFlow: Schema<WrittenFlows> = mapping<WrittenFlows>(
  {
    signup_flows: flowsOf('signup', signupSteps, {
      title: 'SignupFlow',
      description: 'Sign-up flows.',
    }),
    promote_flows: flowsOf('promote', signupSteps, {
      title: 'PromoteFlow',
      description: 'How guests sign up.',
    }),
    login_flows: flowsOf('login', flowSteps(flowGrammars.login_flows, 'Login'), {
      title: 'LoginFlow',
      description: 'Login flows.',
    }),
    signup_login_flows: flowsOf(
      'signup_login',
      flowSteps(flowGrammars.signup_login_flows, 'SignupLogin'),
      {
        title: 'SignupLoginFlow',
        description: 'Flows that sign up new users and log in known ones.',
      },
    ),
    reauth_flows: flowsOf('reauth', flowSteps(flowGrammars.reauth_flows, 'Reauth'), {
      title: 'ReauthFlow',
      description: 'Re-authentication flows for users with a session.',
    }),
    account_recovery_flows: flowsOf(
      'account_recovery',
      flowSteps(flowGrammars.account_recovery_flows, 'Recovery'),
      { title: 'RecoveryFlow', description: 'Account recovery.' },
    ),
    lifetime: withDefault(duration(), '20m', 'How long a flow may take.'),
    rate_limits: section(
      { per_ip: limited(perMinute(1_200), 'By address.') },
      'How often states may be read and advanced.',
    ),
  },
  { title: 'AuthFlows' },
)

/** The flows in one list, with their types. */
export function flowsIn({
  lifetime,
  rate_limits,
  ...lists
}: WrittenFlows): LoadedAuthConfig['authentication_flow'] {
  const flows = Object.entries(flowGrammars).flatMap(([key, { type }]) =>
    // The keys of the table.
    lists[key as keyof typeof flowGrammars].map((flow) => ({ type, ...flow })),
  )
  return { lifetime_ms: lifetime, rate_limits, flows }
}

function checkFlow({ value: { steps }, report, warn }: Checking<WrittenFlow>): void {
  if (steps === undefined) return
  if (levelsOf(steps) > maxLevels) {
    report(['steps'], 'out_of_range', `are nested deeper than ${maxLevels} levels`)
  }
  if (countParts(steps) > maxParts) {
    report(['steps'], 'out_of_range', `are more than ${maxParts} steps and branches`)
  }
  if (![...placedSteps(steps, [])].some(({ part }) => part.type === 'identify')) {
    warn(['steps'], 'have no step identify, so they identify nobody')
  }
}

function levelsOf(steps: SoundSteps): number {
  const nested = steps
    .flatMap((step) => (step === undefined ? [] : placedBranches({ part: step, path: [] })))
    .map(({ part }) => levelsOf(part.steps ?? []))
  return steps.length === 0 ? 0 : 1 + nested.reduce((most, levels) => Math.max(most, levels), 0)
}

function countParts(steps: SoundSteps): number {
  let count = 0
  for (const step of placedSteps(steps, [])) count += 1 + placedBranches(step).length
  return count
}
