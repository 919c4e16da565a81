/**
 * Loads code that needs an optional package; `undefined` if the package is not installed.
 *
 * @param load imports the code.
 * @throws any other error of `load`.
 */
export async function loadIfInstalled<T>(
  packageName: string,
  load: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await load()
  } catch (error) {
    if (isMissing(error, packageName)) return undefined
    throw error
  }
}

function isMissing(error: unknown, packageName: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${packageName}'`)
}
