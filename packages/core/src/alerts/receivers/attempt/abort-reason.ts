import type { FailureReason } from '../notifier.ts'

/** The kind of failure of an attempt that was ended. */
export const abortReason = ({ reason }: AbortSignal): FailureReason =>
  reason instanceof Error && reason.name === 'TimeoutError'
    ? 'contextDeadlineExceeded'
    : 'contextCanceled'
