import { visible } from './visible.ts'

/**
 * The beginning of a text for a place with little room, with its invisible characters shown. Alerts come from strangers: a label
 * may be 100 kB long, and read otherwise than it is.
 */
export function clip(text: string, most = 300): string {
  return visible(text.length > most ? `${text.slice(0, most)}…` : text)
}
