import { errorText, type Logger } from '@gatehouse/core'
import { writeErrorLine } from './line-writer.ts'

/** From the most to the least verbose. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
/** Lines below this level are dropped. */
export type LogLevel = (typeof logLevels)[number]

export const logFormats = ['logfmt', 'json'] as const
/** How a log line is written. */
export type LogFormat = (typeof logFormats)[number]

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /** Default `info`. */
  level?: LogLevel
  /** Default `logfmt`. */
  format?: LogFormat
  /** Writes one line with its newline (default: to standard error). */
  write?: (line: string) => void
  /** The time of a line (default: now). */
  now?: () => Date
}

/** The settings of a logger that may change later. */
export type LogSettings = Required<Pick<LoggerOptions, 'level' | 'format'>>

/** A logger whose settings can change. */
export interface SettableLogger extends Logger {
  set(settings: LogSettings): void
}

/** A logger that writes one line per event: time, level, message, then the fields in their order. */
export function createLogger(options: LoggerOptions = {}): SettableLogger {
  const { now = () => new Date() } = options
  const { write = writeErrorLine } = options
  let encode = encodeLogfmt
  let least = 0
  const set = ({ level, format }: LogSettings): void => {
    encode = format === 'json' ? encodeJson : encodeLogfmt
    least = logLevels.indexOf(level)
  }
  set({ level: options.level ?? 'info', format: options.format ?? 'logfmt' })

  const logAt =
    (lineLevel: LogLevel) =>
    (fields: object, message: string): void => {
      if (logLevels.indexOf(lineLevel) < least) return
      write(`${encode({ ts: instantText(now()), level: lineLevel, msg: message }, fields)}\n`)
    }
  const lines = { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn') }
  return { ...lines, error: logAt('error'), set }
}

/** The text of the last instant: a busy program writes many lines in a millisecond. */
let lastInstant = { at: Number.NaN, text: '' }

function instantText(date: Date): string {
  const at = date.getTime()
  if (lastInstant.at !== at) lastInstant = { at, text: date.toISOString() }
  return lastInstant.text
}

/** The start of every line. */
interface LineHead {
  readonly ts: string
  readonly level: LogLevel
  readonly msg: string
}

function encodeJson(head: LineHead, fields: object): string {
  return JSON.stringify({ ...head, ...fields }, (_key, value: unknown) =>
    value instanceof Error ? errorText(value) : value,
  )
}

function encodeLogfmt({ ts, level, msg }: LineHead, given: object): string {
  const fields = given as Readonly<Record<string, unknown>>
  let line = `ts=${ts} level=${level} msg=${logfmtValue(msg)}`
  for (const key in fields) {
    const value = fields[key]
    if (value !== undefined) line += `${pairStart(key)}${logfmtValue(value)}`
  }
  return line
}

/** The start of a field by its key, cached because nearly all lines have the same few keys. */
const pairStarts = new Map<string, string>()
const maxKept = 1_000

function pairStart(key: string): string {
  const kept = pairStarts.get(key)
  if (kept !== undefined) return kept
  const start = ` ${isPlain.test(key) ? key : key.replace(/[\s="]/g, '_')}=`
  if (pairStarts.size < maxKept) pairStarts.set(key, start)
  return start
}

function logfmtValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = textOf(value)
  return isPlain.test(text) || isBare.test(text) ? text : JSON.stringify(text)
}

/** Values that need no quotes. */
const isBare = /^[^\s="\\\p{Cc}\u2028\u2029]+$/u
/** The same for ASCII alone, which most values are; it is several times faster. */
const isPlain = /^[!#-<>-[\]-~]+$/

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return errorText(value)
  return JSON.stringify(value) ?? String(value)
}
