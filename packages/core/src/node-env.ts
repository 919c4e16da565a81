/** Whether a program runs for real users, by the convention of Node.js. `environment` goes before the one of the process. */
export function isProduction(
  environment: Readonly<Record<string, string | undefined>> = {},
): boolean {
  return (environment.NODE_ENV ?? process.env.NODE_ENV) === 'production'
}
