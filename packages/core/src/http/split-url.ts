/** The path of a URL, not decoded, and its query without the `?`. */
export function splitUrl(url: string): { path: string; query: string } {
  const fragment = url.indexOf('#')
  const end = fragment < 0 ? url.length : fragment
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0 || start >= end) return { path: '/', query: '' }
  const mark = url.indexOf('?', start)
  if (mark < 0 || mark >= end) return { path: url.slice(start, end), query: '' }
  return { path: url.slice(start, mark), query: url.slice(mark + 1, end) }
}
