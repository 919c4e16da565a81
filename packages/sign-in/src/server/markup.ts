/** Makes a text safe between tags and in a quoted attribute. */
export function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** What {@link letterIcon} may do if it is opened by itself. */
export const iconPolicy = "default-src 'none'; style-src 'unsafe-inline'"

/** The first letter of a name in the colours of a theme, as an SVG image: the icon of apps that have given none. */
export function letterIcon(name: string, styles: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  const letter = escapeAttribute((first?.segment ?? '').toUpperCase())
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>${styles}rect{fill:var(--gh-accent)}text{fill:var(--gh-on-accent);font:700 20px system-ui,sans-serif;text-anchor:middle}</style><rect width="32" height="32" rx="7"/><text x="16" y="23">${letter}</text></svg>`
}
