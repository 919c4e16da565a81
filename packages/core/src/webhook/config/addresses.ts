import { filledListOf, listOf, parsedText, type Schema } from '../../document/schema.ts'
import { parseAddressRange } from '../access/address.ts'
import type { AddressRange } from '../webhook.ts'

const addressRange: Schema<AddressRange> = parsedText(
  (written, report) =>
    parseAddressRange(written) ??
    report('bad_cidr', 'must be an address, or a prefix such as 10.0.0.0/8'),
)

/** Addresses; there may be none. */
export const addressRanges: Schema<readonly AddressRange[]> = listOf(addressRange)

/** Addresses that are let in. An empty list would let nobody in, or everybody: it is refused. */
export const allowedAddresses: Schema<readonly AddressRange[]> = filledListOf(addressRange)
