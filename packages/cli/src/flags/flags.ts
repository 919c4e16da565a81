import { parseAddressRange, parseUrl } from '@gatehouse/core/adapter'
import { parseGoDuration } from '@gatehouse/core/config'
import { readDuration } from '@gatehouse/core/document'
import { isGatehouseError } from '@gatehouse/core/store'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type ListenAddress, parseListenAddress } from '../server/listen-address.ts'

/** A duration in milliseconds, such as `90s`, `1h30m`, `1.5h` or `5d`. The errors are those of Alertmanager's flags. */
export function durationFlag(text: string): number {
  const ms = readDuration(text)
  if (ms !== undefined) return ms
  try {
    return parseGoDuration(text)
  } catch (error) {
    throw new InvalidArgumentError(isGatehouseError(error) ? error.message : String(error))
  }
}

/** A whole number, possibly negative. */
export function integerFlag(text: string): number {
  const value = Number(text)
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(value)) return value
  throw new InvalidArgumentError(`"${text}" is not a whole number`)
}

/** A number from 0 to 1. */
export function ratioFlag(text: string): number {
  const value = Number(text)
  if (/^[\d.]+$/.test(text) && value >= 0 && value <= 1) return value
  throw new InvalidArgumentError(`"${text}" is not a number from 0 to 1`)
}

/** How many processes serve. */
export function workersFlag(text: string): number {
  const count = integerFlag(text)
  if (count >= 1 && count <= maxWorkers) return count
  throw new InvalidArgumentError(`workers must be a number from 1 to ${maxWorkers}`)
}

const maxWorkers = 64

/** The help text of `--workers`. */
export const workersDescription: string =
  'how many processes serve, at the same places and over the same storage (default: 1)'

/** Collects the values of a repeatable flag. */
export function repeatedFlag(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text]
}

/** Collects addresses and prefixes of proxies. */
export function proxyFlag(text: string, before: readonly string[] | undefined): string[] {
  if (parseAddressRange(text) === undefined) {
    throw new InvalidArgumentError(`"${text}" is not an IP address or a prefix such as 10.0.0.0/8`)
  }
  return repeatedFlag(text, before)
}

/** Collects addresses to listen on: `:9093`, `host:port` or `[ipv6]:port`. */
export function listenAddressFlag(
  text: string,
  before: readonly ListenAddress[] | undefined,
): ListenAddress[] {
  try {
    return [...(before ?? []), parseListenAddress(text)]
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
  }
}

/** The URL at which users reach the service. */
export function externalUrlFlag(text: string): string {
  if (text === '') return ''
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? ''
  if (scheme !== 'http' && scheme !== 'https') {
    const message = `"${text}": invalid "${scheme}" scheme, only 'http' and 'https' are supported`
    throw new InvalidArgumentError(message)
  }
  if (!parseUrl(text)) throw new InvalidArgumentError(`"${text}" is not a URL`)
  return text
}

/** `true` or `false`. */
export function booleanFlag(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new InvalidArgumentError(`"${text}" is neither true nor false`)
}

/** Adds a switch that `--name` turns on and `--no-name` turns off. */
export function addSwitch(command: Command, name: string, description: string): void {
  command
    .option(`--${name}`, description)
    .addOption(new Option(`--no-${name}`, description).hideHelp())
}

/** Texts by name, from a flag that may be repeated. */
export type Pairs = Readonly<Record<string, string>>

/** Collects pairs such as `team=a`. */
export function pairFlag(text: string, before: Pairs | undefined): Pairs {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError(`"${text}" is not name=value`)
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}
