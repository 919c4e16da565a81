import { errorText } from './errors.ts'

/**
 * The target of log lines, with pino's call order, so that a pino instance fits. It never receives a secret.
 */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** From the most to the least verbose. */
const levels = ['debug', 'info', 'warn', 'error'] as const

const ignore = (): void => {}

/** A logger that drops every line. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore }

/** Options of {@link createConsoleLogger}. */
export interface ConsoleLoggerOptions {
  /** Lines below this level are dropped (default `warn`). */
  level?: (typeof levels)[number] | undefined
  /** Where the lines go (default: the console of the process). */
  console?: Pick<Console, (typeof levels)[number]> | undefined
}

/**
 * Writes one line per event to a console: the message, the fields, and of an error its causes too. Warnings and errors go to
 * standard error. This is the logger of every service that is given none.
 *
 * @example
 * const logger = createConsoleLogger({ level: 'info' }) // every request too
 */
export function createConsoleLogger(options: ConsoleLoggerOptions = {}): Logger {
  const { level: least = 'warn', console: target = console } = options
  const at = (level: (typeof levels)[number]): Logger['debug'] =>
    levels.indexOf(level) < levels.indexOf(least)
      ? ignore
      : (fields, message) => target[level](lineOf(level, message, fields))
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** The logger of a service: one of pino, a console, or `false` for none (default: {@link createConsoleLogger}). */
export function loggerOf(given: Logger | false | undefined): Logger {
  if (given === false) return silentLogger
  if (given === undefined) return createConsoleLogger()
  return isConsole(given) ? createConsoleLogger({ level: 'info', console: given }) : given
}

/** A console would print the fields of a line before its message. */
const isConsole = (given: object): given is Console =>
  ['log', 'table', 'groupEnd'].every((name) => typeof Reflect.get(given, name) === 'function')

function lineOf(level: string, message: string, fields: object): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${shown(value)}`)
  return oneLine(`[gatehouse] ${level}: ${message}${pairs.join('')}`)
}

const plain = /^[^\s"=]+$/

function shown(value: unknown): string {
  const text = value instanceof Error ? errorText(value) : value
  if (typeof text !== 'string') return jsonOf(text)
  return plain.test(text) ? text : JSON.stringify(text)
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return '[not JSON]' // A cycle or a bigint, in the fields of an app's own line.
  }
}

/** Control characters in a message could forge lines, or move the cursor of a terminal. */
const oneLine = (text: string): string =>
  text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
