/**
 * The shortest equivalent path: no empty, `.` or `..` segments. A trailing slash stays.
 *
 * @see https://pkg.go.dev/path#Clean
 */
export function cleanPath(path: string): string {
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  const clean = `/${segments.join('/')}`
  return path.endsWith('/') && clean !== '/' ? `${clean}/` : clean
}
