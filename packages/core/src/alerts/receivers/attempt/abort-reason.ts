import type { AbortSignalLike } from '../../../async/abort-signal.ts'
import type { FailureReason } from '../notifier.ts'

/** The kind of failure of an attempt that was ended. */
export const abortReason = ({ reason }: AbortSignalLike): FailureReason =>
  reason instanceof Error && reason.name === 'TimeoutError'
    ? 'contextDeadlineExceeded'
    : 'contextCanceled'
