/** The beginning of a text for a place with little room. Alerts come from strangers: a label may be 100 kB long. */
export function clip(text: string, most = 300): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
