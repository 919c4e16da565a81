import type { WebhooksContext } from '../context.ts'
import { outputCollection, type RunOutputs, type StoredOutput } from '../records/run-record.ts'
import type { Run } from '../run.ts'
import { type KeptBytes, keepBytes } from '../runner/output/output-text.ts'

/** Stands in a text for bytes that are not UTF-8. */
const replacement = '\ufffd'

/** The kept outputs of a run, byte for byte: of this process's run, or from its record. */
export async function readOutputs(
  { storage, work }: Pick<WebhooksContext, 'storage' | 'work'>,
  run: Run,
): Promise<RunOutputs> {
  const own = work.board.find(run.id)?.outputs()
  if (own !== undefined) return own
  const isText = !run.stdout.includes(replacement) && !run.stderr.includes(replacement)
  const record = isText ? undefined : await outputCollection.get(storage, run.id)
  return outputsOf(run, record?.value)
}

/** The outputs of a run in its texts, or in its record if that has the bytes. */
export function outputsOf(
  { stdout, stderr, stdout_bytes, stderr_bytes }: Run,
  { stdout_base64, stderr_base64 }: Partial<StoredOutput> = {},
): RunOutputs {
  return {
    stdout: { bytes: bytesOf(stdout, stdout_base64), total: stdout_bytes },
    stderr: { bytes: bytesOf(stderr, stderr_base64), total: stderr_bytes },
    keep: 'head',
  }
}

const bytesOf = (text: string, base64: string | undefined): Uint8Array =>
  base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64')

/** At most so many bytes of each output whose text does not give them back. */
export function bytesBeside(
  { stdout, stderr }: Pick<Run, 'stdout' | 'stderr'>,
  { stdout: out, stderr: err, keep }: RunOutputs,
  limit: number,
): Pick<StoredOutput, 'stdout_base64' | 'stderr_base64'> {
  const base64 = (output: KeptBytes): string =>
    Buffer.from(keepBytes(output, limit, keep).bytes).toString('base64')
  return {
    ...(stdout.includes(replacement) ? { stdout_base64: base64(out) } : {}),
    ...(stderr.includes(replacement) ? { stderr_base64: base64(err) } : {}),
  }
}
