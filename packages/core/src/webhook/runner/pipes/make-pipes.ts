import { fileFacts } from './files.ts'

/** Runs a program without input and output; settles once it has ended, or could not be started. */
export type RunQuietly = (program: string, args: readonly string[]) => Promise<void>

/**
 * Creates named pipes for this user only, in one process for all of them, because Node.js cannot create any.
 *
 * @returns whether they exist.
 */
export async function makePipes(
  paths: readonly string[],
  run: RunQuietly,
  shell = '/bin/sh',
): Promise<boolean> {
  await run(shell, ['-c', 'exec mkfifo -m 600 "$@"', 'gatehouse', ...paths])
  return paths.every((path) => fileFacts(path) !== undefined)
}
