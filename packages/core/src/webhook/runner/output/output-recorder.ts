import type { CapturedOutput, Command, CommandListener, OutputStream } from '../command.ts'
import { createKeptOutput, type KeptOutput } from './kept-output.ts'

/** Records the output of one command. */
export interface OutputRecorder {
  /** Takes a piece, which must not change afterwards. The next may follow once the result has settled. */
  record(stream: OutputStream, chunk: Uint8Array): void | Promise<void>
  /** The kept output without the last `dropped` bytes. */
  captured(stream: OutputStream, dropped?: number): CapturedOutput
}

const nothing = new Uint8Array()

/** Creates an {@link OutputRecorder} that passes pieces to a listener. Only a live command waits for it. */
export function createOutputRecorder(
  command: Pick<Command, 'outputBytes' | 'outputKeep' | 'live'>,
  listener: CommandListener,
): OutputRecorder {
  const { outputBytes, outputKeep, live } = command
  /** Created on demand, because many commands write nothing. */
  const outputs = new Map<OutputStream, { readonly kept: KeptOutput; total: number }>()

  const outputOf = (stream: OutputStream) => {
    const known = outputs.get(stream)
    if (known !== undefined) return known
    const output = { kept: createKeptOutput(outputBytes, outputKeep), total: 0 }
    outputs.set(stream, output)
    return output
  }

  return {
    record(stream, chunk) {
      const output = outputOf(stream)
      const hadOverflow = output.total > outputBytes
      output.kept.add(chunk)
      output.total += chunk.length
      if (!hadOverflow && output.total > outputBytes) listener.onOverflow?.(stream)
      const taken = listener.onOutput?.(stream, chunk)
      if (live) return taken
    },

    captured(stream, dropped = 0) {
      const output = outputs.get(stream)
      if (output === undefined) return { bytes: nothing, total: 0 }
      const { bytes, total } = output.kept.kept()
      const last = outputKeep === 'head' ? total - dropped : bytes.length - dropped
      return { bytes: bytes.subarray(0, Math.max(0, last)), total: total - dropped }
    },
  }
}
