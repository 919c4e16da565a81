import type { Logger } from '@gatehouse/core'
import { type Command, Option } from 'commander'
import {
  createLogger,
  type LogFormat,
  type LogLevel,
  type LogSettings,
  logFormats,
  logLevels,
} from '../log/logger.ts'

/** The values of the flags of {@link addLogFlags}. */
export interface LogFlags {
  readonly 'log.level': LogLevel
  readonly 'log.format': LogFormat
}

/** Adds Alertmanager's log flags. */
export function addLogFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--log.level <level>', 'log only this level and above')
        .choices(logLevels)
        .default('info'),
    )
    .addOption(
      new Option('--log.format <format>', 'the format of log lines')
        .choices(logFormats)
        .default('logfmt'),
    )
}

/** The logger that the flags configure. */
export function loggerFor(flags: LogFlags): Logger {
  return createLogger(logSettingsIn(flags))
}

/** How to log. */
export function logSettingsIn(flags: LogFlags): LogSettings {
  return { level: flags['log.level'], format: flags['log.format'] }
}
