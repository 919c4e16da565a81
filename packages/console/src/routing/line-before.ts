/**
 * Where a line of a changed text was before the change: all between the first and the last change counts as one. `undefined` for a
 * line that may be new.
 */
export function lineBefore(before: string, after: string, line: number): number | undefined {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && old[head] === now[head]) head++
  if (line <= head) return line
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const added = now.length - old.length
  return line > now.length - tail || added === 0 ? line - added : undefined
}
