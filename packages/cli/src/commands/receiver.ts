import type { AlertsContext } from '@gatehouse/core'
import {
  type NotificationSample,
  type RenderedIntegration,
  renderNotification,
  type TestedIntegration,
  testReceiver,
} from '@gatehouse/core/alerts'
import { Command, Option } from 'commander'
import { alertsInMemory } from '../alerts-in-memory.ts'
import { readAlertsConfigFile } from '../config/alerts-config-file.ts'
import { badNews } from '../config/exit-codes.ts'
import { externalUrlFlag, type Pairs, pairFlag, repeatedFlag } from '../flags/flags.ts'
import { addLogFlags, type LogFlags, loggerFor } from '../flags/log-flags.ts'
import { paint } from '../log/color.ts'
import { previewLines, testedLine } from '../receiver-lines.ts'
import { runCommand } from '../run-command.ts'

interface TestFlags extends LogFlags {
  readonly configFile: string
  readonly receiver?: readonly string[]
  readonly label?: Pairs
  readonly annotation?: Pairs
  readonly resolved?: boolean
  readonly dryRun?: boolean
  readonly webExternalUrl: string
  readonly json?: boolean
}

/** `gatehouse receiver`: tests before an incident whether notifications arrive. */
export function receiverCommand(): Command {
  const test = new Command('test')
    .description('Send a test notification through every integration of a receiver, once.')
    .option('--config-file <file>', 'the configuration', 'alertmanager.yml')
    .option(
      '--receiver <name>',
      'a receiver; may be repeated (default with --dry-run: all)',
      repeatedFlag,
    )
    .option(
      '--label <name=value>',
      'a label of the alert; alertname is TestAlert by default; may be repeated',
      pairFlag,
    )
    .option('--annotation <name=value>', 'an annotation of the alert; may be repeated', pairFlag)
    .option('--resolved', 'send the notification of a resolved alert')
    .option('--dry-run', 'send nothing: print what would be sent, with secrets masked')
    .addOption(
      new Option('--web-external-url <url>', 'the URL at which users reach the service, for links')
        .argParser(externalUrlFlag)
        .default('', 'http://localhost:9093'),
    )
  test.option('--json', 'print the result of each integration, or its notification, as JSON')
  addLogFlags(test).action(() => runCommand(() => testReceivers(test.opts<TestFlags>())))
  return new Command('receiver').description('Test receivers.').addCommand(test)
}

async function testReceivers(flags: TestFlags): Promise<number> {
  const externalUrl = flags.webExternalUrl
  const alerts = await alertsInMemory(await readAlertsConfigFile(flags.configFile), {
    logger: loggerFor(flags),
    ...(externalUrl === '' ? {} : { externalUrl }),
  })
  const names = receiversToTry(alerts, flags)
  const sample = sampleOf(flags)
  const tryOne = flags.dryRun ? preview : tryOut
  const tried: Tried[] = []
  for (const name of names) {
    const { lines, ...found } = await tryOne(alerts, name, sample)
    if (!flags.json)
      console.log((lines.length === 0 ? [`${name}: has no integrations`] : lines).join('\n'))
    tried.push({ receiver: name, ...found })
  }
  const results = tried.flatMap(({ good }) => good)
  if (flags.json) {
    console.log(
      JSON.stringify(tried.map(({ receiver, integrations }) => ({ receiver, integrations }))),
    )
  }
  return results.length > 0 && results.every((isGood) => isGood) ? 0 : badNews
}

interface Tried {
  readonly receiver: string
  /** For each integration, whether the notification was sent or could be rendered. */
  readonly good: readonly boolean[]
  readonly integrations: readonly (TestedIntegration | RenderedIntegration)[]
}

type TriedWithLines = Omit<Tried, 'receiver'> & { readonly lines: readonly string[] }

/** Checks all names before anything is sent, so that no one is paged by mistake. */
function receiversToTry(alerts: AlertsContext, flags: TestFlags): readonly string[] {
  const known = alerts.config.current.receivers.map(({ name }) => name)
  const { receiver: named, dryRun = false } = flags
  if (named === undefined) {
    if (dryRun || known.length === 1) return known
    throw new Error(`name the receivers to send to with --receiver: ${known.join(', ')}`)
  }
  const unknown = named.find((name) => !known.includes(name))
  if (unknown === undefined) return named
  throw new Error(`no receiver is named "${unknown}": the receivers are ${known.join(', ')}`)
}

function sampleOf({ label, annotation, resolved }: TestFlags): NotificationSample {
  return {
    alerts: [
      {
        ...(label === undefined ? {} : { labels: label }),
        ...(annotation === undefined ? {} : { annotations: annotation }),
        status: resolved ? 'resolved' : 'firing',
      },
    ],
  }
}

async function tryOut(
  alerts: AlertsContext,
  receiver: string,
  sample: NotificationSample,
): Promise<TriedWithLines> {
  const integrations = await testReceiver(alerts, receiver, sample)
  const good = integrations.map(({ result }) => result.outcome === 'sent')
  const lines = integrations.map((one, index) =>
    paint(good[index] ? 'good' : 'bad', testedLine(receiver, one)),
  )
  return { good, integrations, lines }
}

async function preview(
  alerts: AlertsContext,
  receiver: string,
  sample: NotificationSample,
): Promise<TriedWithLines> {
  const integrations = await renderNotification(alerts, receiver, sample)
  return {
    good: integrations.map(({ outcome }) => outcome !== 'failed'),
    integrations,
    lines: integrations.map((one) => previewLines(receiver, one).join('\n')),
  }
}
