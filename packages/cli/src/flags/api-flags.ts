import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  type LogFormat,
  type LogLevel,
  type LogSettings,
  logFormats,
  logLevels,
} from '../log/logger.ts'
import type { ListenAddress } from '../server/listen-address.ts'
import { integerFlag, listenAddressFlag, workersDescription, workersFlag } from './flags.ts'

/** Flags that say where to listen. */
export interface ListenFlags {
  readonly listen?: readonly ListenAddress[]
  readonly host?: string
  readonly port?: number
}

/** The values of the flags of {@link addApiFlags}. */
export interface ApiFlags extends ListenFlags {
  readonly config?: string
  readonly watch?: boolean
  readonly workers?: number
  readonly logFormat?: LogFormat
  readonly logLevel?: LogLevel
}

/** Gives `gatehouse api` its flags. */
export function addApiFlags(command: Command): Command {
  return addConfigFlag(command)
    .addOption(
      new Option(
        '--listen <address>',
        'listen here, as host:port, instead of at the addresses of the file; may be repeated',
      )
        .argParser(listenAddressFlag)
        .conflicts(['host', 'port']),
    )
    .option('--host <host>', 'listen at this address of the machine', hostFlag)
    .option('--port <number>', 'listen at this port; 0: any free one', portFlag)
    .option('--workers <number>', workersDescription, workersFlag)
    .option('--watch', 'reload when a file changes')
    .addOption(new Option('--no-watch').hideHelp())
    .addOption(new Option('--log-format <format>', 'the format of log lines').choices(logFormats))
    .addOption(
      new Option('--log-level <level>', 'log only this level and above').choices(logLevels),
    )
}

/** Adds the flag that names the file of `gatehouse api`. */
export function addConfigFlag(command: Command): Command {
  return command.option(
    '--config <file>',
    'the file, in YAML or JSON (default: config.yaml, config.yml or config.json next to the program, then in the current folder)',
  )
}

function hostFlag(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('host must not be empty')
}

export function portFlag(text: string): number {
  const port = integerFlag(text)
  if (port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('port must be a number from 0 to 65535')
}

/** How to log. Flags win over the file. */
export function logSettingsOf(
  flags: ApiFlags,
  file: { readonly format: LogFormat; readonly level: LogLevel },
): LogSettings {
  return { format: flags.logFormat ?? file.format, level: flags.logLevel ?? file.level }
}
