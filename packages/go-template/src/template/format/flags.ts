import { runeCount } from '../byte-text.ts'

/** The flags between the percent sign and the verb. */
export interface Flags {
  readonly width?: number
  readonly precision?: number
  readonly minus?: boolean
  readonly plus?: boolean
  readonly sharp?: boolean
  readonly space?: boolean
  readonly zero?: boolean
  /** The plus of `%+v`: print field names. */
  readonly plusV?: boolean
  /** The sharp of `%#v`: print Go syntax. */
  readonly sharpV?: boolean
}

/** Pads a text to the requested width, in code points. */
export function pad(text: string, flags: Flags): string {
  const { width, minus } = flags
  if (width === undefined) return text
  const missing = width - runeCount(text)
  return minus ? text + padding(missing, flags) : padding(missing, flags) + text
}

/** Blanks, or zeros on the left if requested. */
export function padding(count: number, { zero, minus }: Flags): string {
  return (zero && !minus ? '0' : ' ').repeat(Math.max(count, 0))
}
