import { Command, Option } from 'commander'
import { cannotServe } from '../config/exit-codes.ts'
import { acceptClusterFlags } from '../flags/cluster-flags.ts'
import { featureNames } from '../flags/features.ts'
import {
  addSwitch,
  booleanFlag,
  durationFlag,
  externalUrlFlag,
  integerFlag,
  listenAddressFlag,
  proxyFlag,
  ratioFlag,
  repeatedFlag,
  workersDescription,
  workersFlag,
} from '../flags/flags.ts'
import { addAlertmanagerLogFlags } from '../flags/log-flags.ts'
import { runCommand } from '../run-command.ts'
import { alertmanagerVersion } from '../version.ts'
import { serveWithWorkers } from '../workers/serve-with-workers.ts'
import type { AlertmanagerFlags } from './serve-alertmanager.ts'

/**
 * `gatehouse alertmanager`: a drop-in replacement for the `alertmanager` command, with its flags.
 *
 * @see Alertmanager, `alertmanager --help`
 */
export function alertmanagerCommand(): Command {
  const command = new Command('alertmanager')
    .description('Run the alert service with the flags of the alertmanager command.')
    .version(alertmanagerVersion(), '--version', 'print versions and exit')
  addStorageFlags(command)
  addLimitFlags(command)
  addWebFlags(command)
  acceptClusterFlags(command)
  addAlertmanagerLogFlags(command)
  addSwitch(command, 'log.silences', 'log every change of a silence')
  addSwitch(command, 'auto-gomemlimit', 'accepted and ignored: it is about memory of Go')
  return command
    .option(
      '--auto-gomemlimit.ratio <ratio>',
      'accepted and ignored: it is about memory of Go',
      ratioFlag,
    )
    .option(
      '--enable-feature <names>',
      `features to enable, separated by commas: ${featureNames.join(', ')}; others have no effect`,
      repeatedFlag,
    )
    .action(() => {
      const flags = command.opts<AlertmanagerFlags>()
      return runCommand(
        () =>
          serveWithWorkers(flags.workers ?? 1, async (serving) => {
            const { serveAlertmanager } = await import('./serve-alertmanager.ts')
            return serveAlertmanager(command, flags, serving)
          }),
        cannotServe,
      )
    })
}

function addStorageFlags(command: Command): void {
  command
    .option('--config.file <file>', 'the configuration file', 'alertmanager.yml')
    .option('--storage.path <folder>', 'the folder of the database file', 'data/')
    .option('--storage.memory', 'keep the data in memory only (Gatehouse only)')
    .option('--workers <number>', `${workersDescription} (Gatehouse only)`, workersFlag)
    .addOption(
      new Option(
        '--storage.durability <what>',
        'what an acknowledged write survives: a crash of the process, or a power cut too (Gatehouse only)',
      )
        .choices(['process', 'power'])
        .default('process'),
    )
    .addOption(lengthFlag('data.retention', 'how long expired silences are kept', '120h'))
    .addOption(
      lengthFlag('data.maintenance-interval', 'how often expired silences are removed', '15m'),
    )
    .addOption(lengthFlag('alerts.gc-interval', 'how often resolved alerts are removed', '30m'))
    .addOption(lengthFlag('dispatch.maintenance-interval', 'accepted and ignored', '30s'))
    .addOption(
      lengthFlag('dispatch.start-delay', 'how long to send no notifications after the start', '0s'),
    )
}

function addLimitFlags(command: Command): void {
  command
    .addOption(
      countFlag(
        'alerts.per-alertname-limit',
        'the most live alerts with one alertname; 0: no limit',
      ),
    )
    .addOption(countFlag('silences.max-silences', 'the most stored silences; 0: no limit'))
    .addOption(
      countFlag(
        'silences.max-silence-size-bytes',
        'the maximum size of a silence; 0: no limit',
        256 * 1024,
      ),
    )
    .addOption(
      countFlag(
        'silences.max-matchers',
        'the most matchers of a silence; 0: no limit (Gatehouse only)',
        100,
      ),
    )
    .addOption(
      countFlag(
        'alerts.max-per-request',
        'the most alerts in one request; 0: no limit (Gatehouse only)',
        20_000,
      ),
    )
    .addOption(
      countFlag(
        'alerts.max-length',
        'the maximum length of an alert as JSON, in characters; 0: no limit (Gatehouse only)',
        256 * 1024,
      ),
    )
    .addOption(
      countFlag(
        'alerts.max-labels',
        'the most labels and annotations of an alert; 0: no limit (Gatehouse only)',
        1_000,
      ),
    )
}

function addWebFlags(command: Command): void {
  command
    .option(
      '--web.listen-address <address>',
      'where to listen, as :9093 or host:port; may be repeated (default: :9093)',
      listenAddressFlag,
    )
    .addOption(
      new Option('--web.external-url <url>', 'the URL at which users reach the service')
        .argParser(externalUrlFlag)
        .default('', 'this host'),
    )
    .option(
      '--web.route-prefix <path>',
      'the prefix of every path (default: the path of the external URL)',
    )
    .addOption(
      lengthFlag(
        'web.timeout',
        'the time after which a request is answered with 503; 0: never',
        '0',
      ),
    )
    .addOption(
      countFlag(
        'web.get-concurrency',
        'the most concurrent GET requests; 0: the number of processors, or 8 if that is more',
      ),
    )
    .addOption(
      countFlag(
        'web.max-filters',
        'the most filters in one request; 0: no limit (Gatehouse only)',
        100,
      ),
    )
    .addOption(
      countFlag(
        'web.max-body-bytes',
        'the maximum size of a request body (Gatehouse only)',
        16 * 1024 * 1024,
      ),
    )
    .addOption(
      new Option('--web.console [boolean]', 'whether to serve the console at / (Gatehouse only)')
        .argParser(booleanFlag)
        .preset('true')
        .default(true),
    )
    .option(
      '--web.console-severity-label <name>',
      'the label by which the console colors alerts (Gatehouse only)',
      'severity',
    )
    .option('--web.config.file <file>', 'a file with TLS settings, users and headers')
    .option('--web.access-file <file>', 'a file that says who may do what (Gatehouse only)')
    .option(
      '--web.allowed-origin <origin>',
      'an origin whose pages may use the API, or *; may be repeated (Gatehouse only)',
      repeatedFlag,
    )
    .option(
      '--web.allowed-host <name>',
      'a host name to accept at a loopback address, or *; may be repeated (Gatehouse only)',
      repeatedFlag,
    )
    .option(
      '--web.trusted-proxy <address>',
      'a proxy in front, as an address or a prefix; may be repeated (Gatehouse only)',
      proxyFlag,
    )
}

function lengthFlag(name: string, description: string, otherwise: string): Option {
  return new Option(`--${name} <duration>`, description)
    .argParser(durationFlag)
    .default(durationFlag(otherwise), otherwise)
}

function countFlag(name: string, description: string, otherwise = 0): Option {
  return new Option(`--${name} <number>`, description).argParser(integerFlag).default(otherwise)
}
