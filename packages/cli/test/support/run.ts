import { execFile } from 'node:child_process'

/** The result of a program that ran to its end. */
export interface Run {
  /** The exit code; -1 if it was killed or never started. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end; one that takes longer than 30 s is killed. */
export function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  return new Promise((resolve) => {
    const options = {
      env: { ...process.env, ...env },
      timeout: 30_000,
      maxBuffer: 64 * 1024 * 1024,
    }
    execFile(program, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, stdout, stderr })
    })
  })
}
