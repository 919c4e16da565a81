/** Longer than users type; hashing takes time for every byte. */
export const maxPasswordBytes = 4_096

/**
 * The form of a password that is hashed and checked: Unicode's NFC. Keyboards write `ñ` as one character or as two. Nothing is
 * trimmed, and compatible characters stay apart. Texts that are too long for a password are not changed: normalizing takes
 * quadratic time.
 *
 * @see RFC 8265, section 4.2.2; NIST SP 800-63B-4, section 3.1.1.2
 */
export function normalPassword(text: string): string {
  return text.length > maxPasswordBytes ? text : text.normalize('NFC')
}

/**
 * The texts to compare with a stored password, in this order: the normal form, and the text as it was typed, if it differs.
 * Passwords that were stored elsewhere, or before they were normalized, may have that form.
 */
export function passwordForms(text: string): readonly string[] {
  return [...new Set([normalPassword(text), text])]
}
