/** The process that is about to run commands. */
export interface WarnedProcess {
  readonly pid: number
  /** Absent where the system has no user ids. */
  readonly getuid?: () => number
}

/** Probable mistakes in how the process was started, one sentence each. */
export function processWarnings({ pid, getuid }: WarnedProcess): readonly string[] {
  return [
    ...(pid === 1
      ? [
          'the server is process 1, which must reap orphans: start it under an init, as with `docker run --init`',
        ]
      : []),
    ...(getuid?.() === 0 ? ['commands run as root: start the server as its own user'] : []),
  ]
}
