const problems: Readonly<Record<string, string>> = {
  ENOENT: 'the program or its interpreter was not found',
  ENOTDIR: 'the program was not found',
  EACCES: 'the program is not executable',
  EPERM: 'there is no permission to start the program',
  ENOEXEC: 'the program has an unknown format',
  ETXTBSY: 'the program file is open for writing',
  ELOOP: 'the path of the program has too many links',
  ENAMETOOLONG: 'the path of the program is too long',
  E2BIG: 'its arguments and its environment are too long',
  EAGAIN: 'there are too many processes',
  ENOMEM: 'there is not enough memory',
  EMFILE: 'too many files are open in this process',
  ENFILE: 'too many files are open in the system',
  ERR_INVALID_ARG_VALUE: 'an argument, a variable or a path is empty or contains a NUL character',
}

/** The reason why a command could not be started. Unlike the error itself, the text contains no path and no value. */
export function startProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return problems[code] ?? `the program could not be started (${code})`
}
