/**
 * A port of 127.0.0.1 that nothing listens on right now, another one at each call. For programs that must know their port in
 * advance; everything else listens on port 0.
 *
 * @throws {Error} if none is found.
 */
export function freePort(): Promise<number>
