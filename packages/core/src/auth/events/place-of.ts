import type { Logger } from '../../logger.ts'

/** Returns the country of an IP address, as an ISO 3166-1 alpha-2 code; `undefined` if unknown. */
export type GeoIp = (ip: string) => string | undefined

/** What finds the place of an address. */
export interface PlacePorts {
  readonly geoIp: GeoIp | undefined
  readonly logger: Logger
}

/** Where an address is, as `geoIp` says. The location is optional, so a failed lookup is only logged. */
export function placeOf(
  { geoIp, logger }: PlacePorts,
  ip: string | null,
): { readonly geo_location_code?: string } {
  try {
    const code = ip === null ? undefined : geoIp?.(ip)
    return code === undefined ? {} : { geo_location_code: code }
  } catch (error) {
    logger.warn({ error: String(error) }, 'the location of an address could not be looked up')
    return {}
  }
}
