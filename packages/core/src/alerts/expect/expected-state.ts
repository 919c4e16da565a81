/** All states of expected alerts. */
export const expectedStates = ['present', 'waiting', 'missing', 'unwatched'] as const

/**
 * The state of expected alerts: `present`; `waiting`, none came since the service started to wait; `missing`, their alert fires;
 * `unwatched`, no process has watched for them lately.
 */
export type ExpectedState = (typeof expectedStates)[number]
