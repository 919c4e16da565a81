/** The value of `Authorization` for a username and a password. @see RFC 7617, section 2 */
export function basicCredentials(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`
}

/** The same for the username and the password in a URL; `undefined` if it has none. */
export function credentialsOfUrl({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return basicCredentials(percentDecoded(username), percentDecoded(password))
}

/** Decodes the escapes of a part of a URL. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign is literal.
    return text
  }
}
