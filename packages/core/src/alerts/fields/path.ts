import { isAbsolute, join } from 'node:path'
import { type ConfigKind, type DecodePlace, text } from '@gatehouse/go-template/yaml'

/** The path of a file; a relative one is resolved against the directory of the configuration. Empty means unset. */
export const path: ConfigKind<string> = {
  ...text,
  decode: (place) => absolutePath(place, text.decode(place)),
}

function absolutePath(place: DecodePlace, written: string): string {
  const { directory } = place.decoding
  if (written === '' || directory === undefined || isAbsolute(written)) return written
  return join(directory, written)
}
