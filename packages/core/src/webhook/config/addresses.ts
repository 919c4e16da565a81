import { plainOutsideText } from '../../document/outside-text.ts'
import { filledListOf, parsedText, type Schema } from '../../document/schema.ts'
import { type AddressRange, parseAddressRange } from '../../http/ip-address.ts'

const addressRange: Schema<AddressRange> = parsedText(
  (written, report) =>
    parseAddressRange(written) ??
    report('bad_cidr', 'must be an address, or a prefix such as 10.0.0.0/8'),
  plainOutsideText,
)

/** Allowed addresses. An empty list is refused, because it could mean no address or all. */
export const allowedAddresses: Schema<readonly AddressRange[]> = filledListOf(addressRange)
