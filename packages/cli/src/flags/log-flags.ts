import type { Logger } from '@gatehouse/core'
import { type Command, Option } from 'commander'
import {
  createLogger,
  type LogFormat,
  type LogLevel,
  logFormats,
  logLevels,
} from '../log/logger.ts'

/** What the flags of {@link addLogFlags} say. */
export interface LogFlags {
  readonly 'log.level': LogLevel
  readonly 'log.format': LogFormat
}

/** Gives a command the flags of Alertmanager for its log. */
export function addLogFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--log.level <level>', 'write only log lines of this level or above')
        .choices(logLevels)
        .default('info'),
    )
    .addOption(
      new Option('--log.format <format>', 'how log lines are written')
        .choices(logFormats)
        .default('logfmt'),
    )
}

/** The logger the flags ask for. */
export function loggerFor(flags: LogFlags): Logger {
  return createLogger({ level: flags['log.level'], format: flags['log.format'] })
}
