import { GatehouseError, isGatehouseError } from '../../../errors.ts'
import { encodeWords } from './encoded-word.ts'
import { type MailAddress, parseMailAddresses } from './mail-address.ts'

/** The longest line of a message. @see RFC 5322, section 2.1.1 */
const maxLine = 998

const addressHeaders = new Set(['From', 'Sender', 'Reply-To', 'To', 'Cc', 'Bcc'])

/** Tabs and printable ASCII, in words that are short enough to fold. */
const isPlain = (text: string): boolean =>
  /^[\t -~]*$/.test(text) && !/[!-~]{900}|[\t ]{90}/.test(text)

/**
 * A header of an email with its line end. Any value results in one header: unsafe text becomes encoded words.
 *
 * @param name in canonical form, such as `Reply-To`.
 * @throws {GatehouseError} `InvalidHeader` if the name is not valid.
 */
export function mailHeader(name: string, value: string): string {
  if (!/^[!-9;-~]{1,100}$/.test(name)) {
    const message = `an email cannot have the header ${JSON.stringify(name)}`
    throw new GatehouseError('Invalid', 'InvalidHeader', message)
  }
  const encoded = isPlain(value) ? value : encodeValue(name, value)
  return `${fold(`${name}: ${encoded}`)}\r\n`
}

/** In addresses, only the names may be encoded. */
function encodeValue(name: string, value: string): string {
  if (!addressHeaders.has(name)) return encodeWords(value)
  const addresses = addressesIn(value)
  const isWritable = addresses.length > 0 && addresses.every(({ address }) => isPlain(address))
  return isWritable ? addresses.map(formatAddress).join(', ') : encodeWords(value)
}

function addressesIn(value: string): readonly MailAddress[] {
  try {
    return parseMailAddresses(value)
  } catch (error) {
    if (isGatehouseError(error)) return []
    throw error
  }
}

function formatAddress({ name, address }: MailAddress): string {
  if (name === '') return address
  if (!isPlain(name)) return `${encodeWords(name)} <${address}>`
  return `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`
}

/** Breaks a line that is too long before blanks. */
function fold(line: string): string {
  if (line.length <= maxLine) return line
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?=[\t ][^\t ])/)) {
    if (current !== '' && current.length + word.length > maxLine) {
      lines.push(current)
      current = ''
    }
    current += word
  }
  return [...lines, current].join('\r\n')
}
