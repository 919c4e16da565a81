import type { RunEvent, RunFacts } from '@gatehouse/client'
import { badNews } from '../config/exit-codes.ts'
import { writeErrorLine } from '../log/line-writer.ts'

/**
 * Writes the output of a run as it comes, to the streams that the command wrote to; with `json` a line for each event.
 *
 * @returns the last facts of the run; `undefined` if the webhook answered without a run.
 * @throws {Error} if the server ends the stream before the run has ended.
 */
export async function showRun(
  events: AsyncIterable<RunEvent>,
  json: boolean,
): Promise<RunFacts | undefined> {
  let isEmpty = true
  for await (const event of events) {
    isEmpty = false
    if (json) console.log(JSON.stringify(event))
    else if (event.type === 'stdout') process.stdout.write(event.text)
    else if (event.type === 'stderr') process.stderr.write(event.text)
    if (event.type === 'end') return event.run
  }
  if (isEmpty) return undefined
  throw new Error('the server ended the stream before the run has ended')
}

/** The exit code for a run: its own, which is 128 + n after signal n, and 1 for a run that did not succeed without one. */
export function exitCodeOfRun({ run_id, status, reason, exit_code, signal }: RunFacts): number {
  if (status === 'succeeded') return 0
  const why = reason === undefined || reason === 'exit_code' ? '' : ` (${signal ?? reason})`
  const end = exit_code === null ? '' : `: exit code ${exit_code}`
  writeErrorLine(`run ${run_id} ${status}${why}${end}\n`)
  return exit_code || badNews
}
