/** See install-when-needed.mjs. */
export function installWhenNeeded(name: string, version: string, beside?: readonly string[]): string
