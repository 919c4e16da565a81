import { spawn } from 'node:child_process'

/** Ends a server and deletes its folder, even if the program that started it has died. */
export interface Guardian {
  /** The process to end; `undefined` when there is none. */
  watch(pid: number | undefined): void
  /** Ends the watched process, deletes the folder, and waits until both are gone. */
  release(): Promise<void>
}

/**
 * Reads pids until its input closes; the system closes it when the parent dies. SIGQUIT ends PostgreSQL at once, and SIGCONT
 * wakes a stopped PostgreSQL so that it sees the signal.
 */
const script = `
pid=
while read -r line; do pid=$line; done
if [ -n "$pid" ]; then
  kill -QUIT "$pid"
  kill -CONT "$pid"
  tries=0
  while kill -0 "$pid" && [ "$tries" -lt 200 ]; do
    tries=$((tries + 1))
    sleep 0.05
  done
fi
rm -rf "$1"
`

/** Starts a {@link Guardian} of the server that keeps its data in `folder`. */
export function startGuardian(folder: string): Guardian {
  // In a process group of its own, so that Ctrl-C in a terminal does not end it.
  const child = spawn('/bin/sh', ['-c', script, 'guardian', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    detached: true,
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject).on('close', () => resolve())
  })
  // If it cannot be started, nobody may be waiting for it yet.
  ended.catch(() => {})
  return {
    watch: (pid) => {
      child.stdin.write(`${pid ?? ''}\n`)
    },
    release() {
      child.stdin.end()
      return ended
    },
  }
}
