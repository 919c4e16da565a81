/**
 * Reads the path at which the routes of a service begin, such as `/auth`, without the slash that may end it. It has only
 * characters that stand for themselves in a path and in a pattern of paths.
 *
 * @returns `undefined` if the text is not such a path.
 */
export function parseBasePath(text: string): string | undefined {
  const path = text.replace(/\/$/, '')
  const isPath = /^(?:\/[\w.~!$&'(),;=@-]+)*$/.test(path)
  return isPath && !/\/\.{1,2}(?:\/|$)/.test(path) ? path : undefined
}
