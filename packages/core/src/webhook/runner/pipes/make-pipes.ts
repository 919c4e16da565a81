import { fileFacts } from './files.ts'

/** Starts a program that reads and writes nothing; settles once it has ended, or could not be started. */
export type RunQuietly = (program: string, args: readonly string[]) => Promise<void>

/**
 * Makes named pipes that only this user can open, by one process for all of them: Node.js cannot make any.
 *
 * @returns whether they are there.
 */
export async function makePipes(
  paths: readonly string[],
  run: RunQuietly,
  shell = '/bin/sh',
): Promise<boolean> {
  await run(shell, ['-c', 'exec mkfifo -m 600 "$@"', 'gatehouse', ...paths])
  return paths.every((path) => fileFacts(path) !== undefined)
}
