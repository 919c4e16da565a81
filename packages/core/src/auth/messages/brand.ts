import { parseUrl } from '../../http/parse-url.ts'
import { type Decode, exactly, filledText, optional, rawText } from '../../input/decode.ts'
import { refuse } from '../../input/refusal.ts'

/** How an app presents itself in messages and on the pages of their links. */
export interface Brand {
  /** The name of the app, as people know it (default: its origin). */
  readonly name?: string | undefined
  /** An image: an `https:` address, or a path below the origin. Others are not shown. */
  readonly logo?: string | undefined
  /** The image of the browser's tab on the pages of links, likewise (default: none). */
  readonly icon?: string | undefined
  /** The background of buttons: `#rrggbb`, or a color by its name (default: dark gray). */
  readonly accent?: string | undefined
  /** The text on buttons, likewise (default: white). */
  readonly onAccent?: string | undefined
  /** Custom properties for the pages of links, as a style sheet. Messages do without. */
  readonly styles?: string | undefined
}

/** Mail programs know few kinds of colors, and a template lets no others through. */
const mailColor = /^(?:#[\da-f]{3}|#[\da-f]{6}|[a-z]{3,30})$/i

/** A color for mails; empty if mail programs would not know it. */
export const mailColorOf = (value: string | undefined): string =>
  value !== undefined && mailColor.test(value) ? value : ''

/** The absolute address of an image; empty for one that cannot be fetched from where people read. */
export function imageAddress(image: string | undefined, origin: string): string {
  const url = image === undefined ? undefined : parseUrl(image, origin)
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.href : ''
}

/** Nothing in a style sheet may end its element. */
const styleSheet: Decode<string> = (value) =>
  rawText(value).includes('<') ? refuse('a style sheet without "<"', value) : rawText(value)

export const brandInput: Decode<Brand> = exactly<Brand>({
  name: optional(filledText),
  logo: optional(filledText),
  icon: optional(filledText),
  accent: optional(filledText),
  onAccent: optional(filledText),
  styles: optional(styleSheet),
})
