import { everyItem, type LabelSet } from '@gatehouse/client'
import {
  type AlertsConfig,
  compareRoutes,
  loadAlertsConfig,
  type RouteDifference,
  type RoutePlace,
} from '@gatehouse/core/alerts'
import { formatDuration } from '@gatehouse/core/config'
import { Command } from 'commander'
import { readTextFile } from '../config/config-file.ts'
import { badNews } from '../config/exit-codes.ts'
import { createReadFiles } from '../config/read-files.ts'
import { counted } from '../counted.ts'
import { durationFlag } from '../flags/flags.ts'
import { paint } from '../log/color.ts'
import { addServerFlags, askServer, type ServerFlags } from '../remote/server.ts'
import { runCommand } from '../run-command.ts'
import { readRoutingConfig } from '../services/routing-config.ts'

interface DiffFlags extends ServerFlags {
  readonly alerts?: string
  readonly history?: number
  readonly json?: boolean
}

/** `gatehouse diff`: which alerts a new configuration sends elsewhere. */
export function diffCommand(): Command {
  const command = new Command('diff')
    .description(
      'Compare two configurations of alerts: list the alerts of a running server, or of a file, that would be routed to other receivers or groups, or notified at other times.',
    )
    .argument('<old>', 'the configuration before, such as alertmanager.yml')
    .argument('<new>', 'the configuration after')
  addServerFlags(command, 'the server with the alerts')
    .option('--alerts <file>', 'a file with the alerts instead, as the JSON of GET /api/v2/alerts')
    .option(
      '--history <duration>',
      'also the alerts that fired since then, such as 7d',
      durationFlag,
    )
    .option('--json', 'print the difference as JSON')
  return command.action((before: string, after: string) =>
    runCommand(() => diff(before, after, command.opts<DiffFlags>())),
  )
}

async function diff(before: string, after: string, flags: DiffFlags): Promise<number> {
  const configs = [await load(before), await load(after)] as const
  const alerts = flags.alerts === undefined ? await alertsOf(flags) : await alertsIn(flags.alerts)
  const difference = await compareRoutes(...configs, alerts)
  console.log(flags.json ? JSON.stringify(difference) : linesOf(difference).join('\n'))
  return difference.moved === 0 ? 0 : badNews
}

async function load(filename: string): Promise<AlertsConfig> {
  const { source, matcherMode } = await readRoutingConfig(filename, createReadFiles())
  const { text, ...place } = source
  return loadAlertsConfig(text, { filename, ...place, matcherMode })
}

async function alertsIn(filename: string): Promise<readonly LabelSet[]> {
  const { text } = await readTextFile(filename)
  const read = parsed(text, filename)
  if (!Array.isArray(read)) throw new Error(`${filename}: expected a list of alerts`)
  return read.map((one: { labels?: unknown }, index) => {
    const labels = one?.labels
    const isSound =
      typeof labels === 'object' &&
      labels !== null &&
      Object.values(labels).every((value) => typeof value === 'string')
    if (!isSound) throw new Error(`${filename}: alert ${index} has no labels`)
    return labels as LabelSet
  })
}

function parsed(text: string, filename: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${filename}: not valid JSON`, { cause: error })
  }
}

/** The alerts that fire at the server now, and those of its history. */
const alertsOf = (flags: DiffFlags): Promise<readonly LabelSet[]> =>
  askServer(flags, async ({ alerts }) => {
    const found = new Map<string, LabelSet>()
    for (const { fingerprint, labels } of await alerts.list()) found.set(fingerprint, labels)
    if (flags.history !== undefined) {
      const from = new Date(Date.now() - flags.history).toISOString()
      const events = everyItem(alerts.history, { from, event: ['firing'], limit: 1_000 })
      for await (const { fingerprint, labels } of events) found.set(fingerprint, labels)
    }
    return [...found.values()]
  })

function linesOf({ alerts, moved, moves }: RouteDifference): readonly string[] {
  if (moved === 0) return [paint('good', `No routing changes: ${unmoved(alerts)}`)]
  return [
    paint('strong', `${moved} of ${counted(alerts, 'alert')} would be routed differently.`),
    ...moves.flatMap(({ from, to, count, examples }) => [
      '',
      `${counted(count, 'alert')}, such as ${labelsText(examples[0] ?? {})}`,
      ...from.map((place) => paint('bad', `- ${placeText(place)}`)),
      ...to.map((place) => paint('good', `+ ${placeText(place)}`)),
    ]),
  ]
}

function unmoved(alerts: number): string {
  if (alerts === 0) return 'there are no alerts to compare.'
  return alerts === 1
    ? 'the alert keeps its receivers.'
    : `all ${alerts} alerts keep their receivers.`
}

const labelsText = (labels: LabelSet): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(', ')}}`

function placeText(place: RoutePlace): string {
  const { receiver, groupBy, groupWaitMs, groupIntervalMs, repeatIntervalMs } = place
  const intervals = [
    ...place.muteTimeIntervals.map((name) => `muted in ${name}`),
    ...place.activeTimeIntervals.map((name) => `active in ${name}`),
  ]
  const times = [groupWaitMs, groupIntervalMs, repeatIntervalMs].map(formatDuration)
  return [
    receiver,
    `grouped by ${groupBy.length === 0 ? 'nothing' : groupBy.join(', ')}`,
    `wait, interval, repeat: ${times.join(', ')}`,
    ...intervals,
  ].join('; ')
}
