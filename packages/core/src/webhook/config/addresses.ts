import { report } from '../../document/place.ts'
import { filledListOf, listOf, text } from '../../document/values.ts'
import { parseAddressRange } from '../access/address.ts'
import type { AddressRange } from '../webhook.ts'
import type { Decode } from './place.ts'

const addressRange: Decode<AddressRange> = (place) => {
  const written = text(place)
  if (written === undefined) return undefined
  const range = parseAddressRange(written)
  return range ?? report(place, 'bad_cidr', 'must be an address, or a prefix such as 10.0.0.0/8')
}

/** Addresses; there may be none. */
export const addressRanges: Decode<readonly AddressRange[]> = listOf(addressRange)

/** Addresses that are let in. An empty list would let nobody in, or everybody: it is refused. */
export const allowedAddresses: Decode<readonly AddressRange[]> = filledListOf(addressRange)
