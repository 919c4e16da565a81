// What the tables of the documentation list besides the keys of documents: metrics, flags and events.
import { registerProcessMetrics } from '../packages/cli/src/log/process-metrics.ts'
import { commands } from '../packages/cli/src/program.ts'
import { createAlerts } from '../packages/core/src/alerts/create-alerts.ts'
import { startEventRecorder } from '../packages/core/src/alerts/start/start-event-recorder.ts'
import { authSchema } from '../packages/core/src/auth/config/auth-schema.ts'
import { everyKey } from '../packages/core/src/auth/config/authgear-keys.fixture.ts'
import { createAuth } from '../packages/core/src/auth/create-auth.ts'
import { type About, aboutSchemas } from '../packages/core/src/document/about.ts'
import type { MetricOptions, MetricsRegistry } from '../packages/core/src/metrics/metrics.ts'
import { createMetricsRegistry } from '../packages/core/src/metrics/metrics.ts'
import { createWebhooks } from '../packages/core/src/webhook/create-webhooks.ts'
import { metricsOf as declareOidcMetrics } from '../packages/oidc/src/metrics.ts'
import { createMemoryStorage } from '../packages/store-memory/src/index.ts'

/** A metric as it is declared. */
export interface DeclaredMetric extends MetricOptions {
  readonly type: string
}

/** A registry that remembers what is declared. */
function recordingRegistry(): { metrics: MetricsRegistry; declared: DeclaredMetric[] } {
  const registry = createMetricsRegistry()
  const declared: DeclaredMetric[] = []
  const recorded =
    <Options extends MetricOptions, Metric>(type: string, declare: (options: Options) => Metric) =>
    (options: Options): Metric => {
      declared.push({ ...options, type })
      return declare(options)
    }
  const metrics: MetricsRegistry = {
    ...registry,
    counter: recorded('counter', registry.counter),
    gauge: recorded('gauge', registry.gauge),
    histogram: recorded('histogram', registry.histogram),
    summary: recorded('summary', registry.summary),
  }
  return { metrics, declared }
}

/** Declares the metrics of each service, and those of a process of the command. */
const owners: Readonly<Record<string, (metrics: MetricsRegistry) => void>> = {
  alerts(metrics) {
    const alerts = createAlerts({
      storage: createMemoryStorage(),
      config: { route: { receiver: 'team' }, receivers: [{ name: 'team' }] },
      cluster: { name: 'a', address: '127.0.0.1:9093' },
      metricLabels: ['receiver_name', 'alertname', 'group_key'],
      metrics,
    })
    void startEventRecorder(alerts).stop()
  },
  auth(metrics) {
    createAuth({
      storage: createMemoryStorage(),
      config: { id: 'app', http: { public_origin: 'https://auth.example.com' } },
      secrets: [{ id: 'a', key: '0123456789abcdef0123456789abcdef' }],
      senders: { sendEmail: async () => {} },
      metrics,
    })
  },
  webhooks(metrics) {
    createWebhooks({
      storage: createMemoryStorage(),
      config: { webhooks: [] },
      metrics,
      logger: false,
    })
  },
  oidc: (metrics) => void declareOidcMetrics({ metrics }),
  process: registerProcessMetrics,
}

/** The metrics of an owner, by name. */
export function metricsOf(owner: string): readonly DeclaredMetric[] {
  const declare = owners[owner]
  if (declare === undefined) throw new Error(`nobody is called ${owner}`)
  const { metrics, declared } = recordingRegistry()
  declare(metrics)
  return declared.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A command, as the package of the command has the type. */
type Command = Awaited<ReturnType<(typeof commands)[number]['load']>>

/** The commands with their flags. */
export const loadedCommands: readonly Command[] = await Promise.all(
  commands.map(({ load }) => load()),
)

/** A command by its words, such as `storage backup`. */
export function commandOf(words: readonly string[]): Command {
  const [name, ...below] = words
  let command = loadedCommands.find((one) => one.name() === name)
  for (const word of below) command = command?.commands.find((one) => one.name() === word)
  if (command === undefined) throw new Error(`there is no command "${words.join(' ')}"`)
  return command
}

/** Names below a path of the document for sign-in. */
export interface NamesBelow {
  readonly path: string
  readonly names: readonly string[]
}

/** What zod knows of a schema, as far as a walk needs it. */
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, Walked>>
  readonly element?: Walked
  readonly innerType?: Walked
  readonly in?: Walked
  readonly getter?: () => Walked
}

interface Walked {
  readonly _zod: { readonly def: Definition }
}

/** Registries take every schema. */
const aboutOf = (schema: Walked): About =>
  aboutSchemas.get(schema as Parameters<typeof aboutSchemas.get>[0]) ?? {}

/** Visits each schema of a document with its path. A type within itself, such as the steps of a step, is visited once. */
function walk(
  schema: Walked,
  visit: (schema: Walked, path: string) => void,
  path = '',
  above: readonly string[] = [],
): void {
  const about = aboutOf(schema)
  const { title } = about
  if (title !== undefined && above.includes(title)) return
  const within = title === undefined ? above : [...above, title]
  visit(schema, path)
  const { def } = schema._zod
  const go = (inner: unknown, at = path): void => walk(inner as Walked, visit, at, within)
  for (const inner of about.choices ?? []) go(inner)
  if (about.values !== undefined) go(about.values, `${path}.*`)
  else if (def.type === 'array') go(def.element, `${path}[]`)
  else if (def.type === 'lazy') go(def.getter?.())
  else if (about.choices === undefined) {
    for (const inner of [def.innerType, def.in]) if (inner !== undefined) go(inner)
  }
  for (const [key, inner] of Object.entries(def.shape ?? {})) {
    go(inner, path === '' ? key : `${path}.${key}`)
  }
}

/** The keys and words of a document for sign-in that are accepted and have no effect. */
export function idleNames(): readonly NamesBelow[] {
  const found: NamesBelow[] = []
  walk(authSchema, (schema, path) => {
    const { idleNames: names } = aboutOf(schema)
    const isKnown = found.some((one) => one.path === path && one.names[0] === names?.[0])
    if (names !== undefined && !isKnown) found.push({ path, names })
  })
  return found
}

/** Parts that {@link everyKey} does not have in full. */
const notCompared = /^(identity\.ldap|external_jwt|authentication_flow\.\w+_flows)\b/

/** The keys of a document for sign-in that Authgear does not have. */
export function extensionKeys(): readonly string[] {
  const foreign = new Set<string>()
  const collect = (value: unknown, path: string): void => {
    foreign.add(path)
    if (Array.isArray(value)) for (const item of value) collect(item, `${path}[]`)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value))
        collect(item, path === '' ? key : `${path}.${key}`)
    }
  }
  collect(everyKey, '')
  const own = new Set<string>()
  walk(authSchema, (_, path) => {
    const isBelow = [...own].some(
      (other) => path.startsWith(`${other}.`) || path.startsWith(`${other}[`),
    )
    if (!foreign.has(path) && !isBelow && !notCompared.test(path)) own.add(path)
  })
  return [...own]
}
