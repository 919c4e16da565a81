import { type Random, randomCrockford, randomText } from './random.ts'

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Creates the id of a flow: `authflow_` and 160 random bits. */
export function createFlowId(random: Random): string {
  return `authflow_${randomCrockford(random, 32)}`
}

/** Creates the token of a flow state: `authflowstate_` and 160 random bits. */
export function createStateToken(random: Random): string {
  return `authflowstate_${randomCrockford(random, 32)}`
}

/** Names the channel on which a client waits until a link is approved: `ws_` and 160 random bits, of 20 bytes. */
export function createChannelName(random: Random): string {
  return `ws_${randomCrockford(random, 32)}`
}

/** Creates the code in a sent link: 160 random bits. */
export function createLinkCode(random: Random): string {
  return randomCrockford(random, 32)
}

/** A code that a person types: six digits, each equally likely. */
export function createOtpCode(random: Random): string {
  return randomText(random, '0123456789', 6)
}

/** Creates a token for a device that has passed a second factor: 64 letters and digits. */
export function createDeviceToken(random: Random): string {
  return randomText(random, alphanumeric, 64)
}

/** The token of a session: its id, `.`, and 32 letters and digits. */
export function createSessionToken(sessionId: string, random: Random): string {
  return `${sessionId}.${randomText(random, alphanumeric, 32)}`
}
