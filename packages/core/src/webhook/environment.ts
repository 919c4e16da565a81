import type { Instant } from '../clock.ts'
import type { Delivery } from './delivery.ts'
import { entryProblem, valueMissing, valueRejected } from './request-value.ts'
import { readSource } from './source.ts'
import type { EnvironmentValue, Webhook } from './webhook.ts'

/** Options of {@link commandEnvironment}. */
export interface CommandEnvironmentOptions {
  readonly webhook: Pick<Webhook, 'id' | 'env' | 'pass_env'>
  readonly delivery: Delivery
  readonly now: Instant
  /** The variables of the server, which do not change. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Names no command inherits. */
  readonly withheld: ReadonlySet<string>
  readonly runId: string
  /** How often the command was started, this time included. */
  readonly attempt: number
}

const inherited = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_.*|TZ|TMPDIR)$/s
const defaultPath = '/usr/local/bin:/usr/bin:/bin'

type Server = Pick<CommandEnvironmentOptions, 'webhook' | 'environment' | 'withheld'>
type Variables = readonly (readonly [name: string, value: string])[]

/** What commands of a webhook got last, which stays the same as long as nothing is configured anew. */
const inheritedLast = new WeakMap<object, Omit<Server, 'webhook'> & { variables: Variables }>()

/** What a command gets of the variables of the server, all of which must stay as they are. */
function inheritedVariables({ webhook, environment, withheld }: Server): Variables {
  const last = inheritedLast.get(webhook)
  if (last?.environment === environment && last.withheld === withheld) return last.variables
  const variables = findInherited({ webhook, environment, withheld })
  inheritedLast.set(webhook, { environment, withheld, variables })
  return variables
}

function findInherited({ webhook, environment, withheld }: Server): Variables {
  const passesAll = webhook.pass_env.includes('*')
  return Object.entries(environment).flatMap(([name, value]): Variables => {
    if (value === undefined || withheld.has(name)) return []
    const isPassed = passesAll || inherited.test(name) || webhook.pass_env.includes(name)
    return isPassed ? [[name, value]] : []
  })
}

/** @throws {GatehouseError} `argument_missing` or `argument_rejected`. */
function resolveVariable(
  variable: string,
  value: EnvironmentValue,
  delivery: Delivery,
  now: Instant,
): string {
  if (value.kind === 'text') return value.value.reveal()
  const purpose = { variable }
  const text = readSource(value.from, delivery, now) ?? value.default
  if (text === undefined) throw valueMissing(purpose, value.source)
  const problem = entryProblem(`${variable}=${text}`)
  if (problem !== undefined) throw valueRejected(purpose, value.source, problem)
  return text
}

/**
 * The whole environment of a command but for the paths of its value files: a base set out of the variables of the server, what
 * the webhook passes on and sets, and what tells a command about its run. The later ones win.
 *
 * @throws {GatehouseError} `argument_missing` or `argument_rejected` for a value of the request, with `variable` and `source` in
 *   `info`.
 */
export function commandEnvironment(
  options: CommandEnvironmentOptions,
): Readonly<Record<string, string>> {
  const { webhook, delivery, now, runId, attempt } = options
  const variables = new Map<string, string>([['PATH', defaultPath], ...inheritedVariables(options)])
  for (const [name, value] of webhook.env) {
    variables.set(name, resolveVariable(name, value, delivery, now))
  }
  variables.set('GATEHOUSE_RUN_ID', runId)
  variables.set('GATEHOUSE_WEBHOOK_ID', webhook.id)
  variables.set('GATEHOUSE_REQUEST_ID', delivery.requestId)
  variables.set('GATEHOUSE_ATTEMPT', String(attempt))
  return Object.fromEntries(variables)
}
