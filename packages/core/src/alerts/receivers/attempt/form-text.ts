const unlikeForms = /%20|[!'()*]/g

/** Escapes a name or a value for {@link formText}. */
function escapeForm(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(unlikeForms, (found) =>
    found === '%20' ? '+' : `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * Encodes parameters for a query or a form, sorted by name.
 *
 * @see https://pkg.go.dev/net/url#Values.Encode
 */
export function formText(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${escapeForm(name)}=${escapeForm(value)}`)
    .join('&')
}
