import type { FailureReason } from '../notifier.ts'

/** The failure reason of an attempt that was aborted. */
export const abortReason = ({ reason }: AbortSignal): FailureReason =>
  reason instanceof Error && reason.name === 'TimeoutError'
    ? 'contextDeadlineExceeded'
    : 'contextCanceled'
