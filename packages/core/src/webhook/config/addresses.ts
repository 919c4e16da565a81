import { filledListOf, listOf, parsedText, type Schema } from '../../document/schema.ts'
import { parseAddressRange } from '../access/address.ts'
import type { AddressRange } from '../webhook.ts'

const addressRange: Schema<AddressRange> = parsedText(
  (written, report) =>
    parseAddressRange(written) ??
    report('bad_cidr', 'must be an address, or a prefix such as 10.0.0.0/8'),
)

/** Addresses; the list may be empty. */
export const addressRanges: Schema<readonly AddressRange[]> = listOf(addressRange)

/** Allowed addresses. An empty list is refused, because it could mean no address or all. */
export const allowedAddresses: Schema<readonly AddressRange[]> = filledListOf(addressRange)
