import type { TimeStyle } from './time-style.ts'

/** Lists write many times, and to make a format takes longer than to use it. There are as many as kinds of times. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Writes instants in the chosen zone. Those in UTC say so: a time may be read out to a colleague who chose otherwise. */
export function timeWriter(
  options: Intl.DateTimeFormatOptions,
  { language, zone }: TimeStyle,
): (at: number) => string {
  const id = JSON.stringify([language, zone, options])
  let format = formats.get(id)
  if (format === undefined) {
    format = new Intl.DateTimeFormat(language, {
      ...options,
      ...(zone === 'utc' && { timeZone: 'UTC' }),
    })
    formats.set(id, format)
  }
  const { format: write } = format
  return zone === 'utc' ? (at) => `${write(at)} UTC` : write
}

/** An instant as lists show it. */
export const writeTime = (at: number, style: TimeStyle): string =>
  timeWriter({ dateStyle: 'medium', timeStyle: style.hasSeconds ? 'medium' : 'short' }, style)(at)

/** An instant in full: with its day of the week and its zone, and in UTC. */
export function writeExactTime(at: number, { language }: TimeStyle): string {
  const local: TimeStyle = { language, zone: 'local', hasSeconds: true }
  const full = timeWriter({ dateStyle: 'full', timeStyle: 'long' }, local)
  return `${full(at)} · ${new Date(at).toISOString()}`
}
