import { type PlacePorts, placeOf } from '../events/place-of.ts'
import { countryName } from '../messages/country-name.ts'

/** Where an address is, for people: with its country in a language if that is known, as `198.51.100.7 (Singapore)`. */
export function shownPlace(ports: PlacePorts, ip: string, language: string): string {
  const { geo_location_code: code } = placeOf(ports, ip)
  return code === undefined ? ip : `${ip} (${countryName(code, language)})`
}
