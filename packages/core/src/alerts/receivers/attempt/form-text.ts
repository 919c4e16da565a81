const unlikeForms = /%20|[!'()*]/g

/** As {@link formText} writes a name or a value. */
function escapeForm(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(unlikeForms, (found) =>
    found === '%20' ? '+' : `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * Parameters as they stand in a query or a form, sorted by name.
 *
 * @see https://pkg.go.dev/net/url#Values.Encode
 */
export function formText(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${escapeForm(name)}=${escapeForm(value)}`)
    .join('&')
}
