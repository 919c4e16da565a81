const problems: Readonly<Record<string, string>> = {
  ENOENT: 'the program, or what interprets it, was not found',
  ENOTDIR: 'the program was not found',
  EACCES: 'the program is not executable',
  EPERM: 'the program may not be started',
  ENOEXEC: 'the program has a format that the system does not know',
  ETXTBSY: 'the program is being written',
  ELOOP: 'the path of the program has too many links',
  ENAMETOOLONG: 'the path of the program is too long',
  E2BIG: 'its arguments and its environment are too long',
  EAGAIN: 'there are too many processes',
  ENOMEM: 'there is not enough memory',
  EMFILE: 'too many files are open in this process',
  ENFILE: 'too many files are open in the system',
  ERR_INVALID_ARG_VALUE: 'an argument, a variable or a path is empty or holds a NUL character',
}

/** Why a command could not be started. The text names no path and no value: those of the error do. */
export function startProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return problems[code] ?? `the program could not be started (${code})`
}
