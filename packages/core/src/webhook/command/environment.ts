import type { Instant } from '../../time/clock.ts'
import type { Delivery } from '../request/delivery.ts'
import { readSource } from '../request/source.ts'
import type { EnvironmentValue, Webhook } from '../webhook.ts'
import { entryProblem, valueMissing, valueProblem, valueRejected } from './request-value.ts'

/** Options of {@link commandEnvironment}. */
export interface CommandEnvironmentOptions {
  readonly webhook: Pick<Webhook, 'id' | 'env' | 'pass_env' | 'files'>
  readonly delivery: Delivery
  readonly now: Instant
  /** The variables of the server, which do not change. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Variables that no command inherits. */
  readonly withheld: ReadonlySet<string>
  readonly runId: string
  /** The number of this start of the command, from 1. */
  readonly attempt: number
}

const inherited = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_.*|TZ|TMPDIR)$/s
/** Variables that describe the run to its command. */
const own = [
  'GATEHOUSE_RUN_ID',
  'GATEHOUSE_WEBHOOK_ID',
  'GATEHOUSE_REQUEST_ID',
  'GATEHOUSE_ATTEMPT',
] as const
/** Whether the service sets this variable for every run. */
export function isOwnVariable(name: string): boolean {
  return own.some((known) => known === name)
}

const defaultPath = '/usr/local/bin:/usr/bin:/bin'

type Server = Pick<CommandEnvironmentOptions, 'webhook' | 'environment' | 'withheld'>
type Variables = Readonly<Record<string, string>>

/** The variables that all commands of a webhook share, with placeholders for the rest. */
interface Base extends Omit<Server, 'webhook'> {
  readonly variables: Variables
}

/** The last base of each webhook. It stays valid until the configuration changes. */
const bases = new WeakMap<object, Base>()

function baseOf({ webhook, environment, withheld }: Server): Variables {
  const last = bases.get(webhook)
  if (last?.environment === environment && last.withheld === withheld) return last.variables
  const variables = findBase({ webhook, environment, withheld })
  bases.set(webhook, { environment, withheld, variables })
  return variables
}

/**
 * Variables whose values come later exist from the beginning: engines copy such an object much faster than a growing one, and
 * assigning to an existing `__proto__` sets a variable.
 */
function findBase({ webhook, environment, withheld }: Server): Variables {
  const passesAll = webhook.pass_env.includes('*')
  const ofFiles = new Set(webhook.files.map(({ env }) => env))
  const variables = new Map([['PATH', defaultPath]])
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || withheld.has(name) || ofFiles.has(name)) continue
    const isPassed = passesAll || inherited.test(name) || webhook.pass_env.includes(name)
    if (isPassed) variables.set(name, value)
  }
  for (const name of [...webhook.env.keys(), ...own]) variables.set(name, '')
  return Object.fromEntries(variables)
}

/**
 * The value of a variable; `undefined` leaves it unset.
 *
 * @throws {GatehouseError} `argument_missing` or `argument_rejected`.
 */
function resolveVariable(
  variable: string,
  value: EnvironmentValue,
  delivery: Delivery,
  now: Instant,
): string | undefined {
  if (value.kind === 'text') return value.value.reveal()
  const purpose = { variable }
  const sent = readSource(value.from, delivery, now)
  if (sent === undefined && value.default === undefined) {
    if (value.on_missing === 'error') throw valueMissing(purpose, value.source)
    if (value.on_missing === 'skip') return undefined
  }
  const text = sent ?? value.default ?? ''
  // A default comes from the configuration.
  const refused = sent === undefined ? undefined : valueProblem(value, sent)
  const problem = refused ?? entryProblem(text, `${variable}=`)
  if (problem !== undefined) throw valueRejected(purpose, value.source, problem)
  return text
}

/**
 * The whole environment of a command, except the paths of its value files: the base set from the server, the variables that the
 * webhook inherits and sets, and the facts of the run. Later ones override earlier ones.
 *
 * @throws {GatehouseError} `argument_missing` or `argument_rejected` for a value of the request, with `variable` and `source` in
 * `info`.
 */
export function commandEnvironment(
  options: CommandEnvironmentOptions,
): Readonly<Record<string, string>> {
  const { webhook, delivery, now, runId, attempt } = options
  const variables: Record<string, string> = { ...baseOf(options) }
  for (const [name, value] of webhook.env) {
    const text = resolveVariable(name, value, delivery, now)
    if (text === undefined) delete variables[name]
    else variables[name] = text
  }
  variables.GATEHOUSE_RUN_ID = runId
  variables.GATEHOUSE_WEBHOOK_ID = webhook.id
  variables.GATEHOUSE_REQUEST_ID = delivery.requestId
  variables.GATEHOUSE_ATTEMPT = String(attempt)
  return variables
}
