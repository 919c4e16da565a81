/** The channel that a listener waits for, and the address of its client. */
export interface WaitingPlace {
  readonly channel: string
  /** The IP address of the client. */
  readonly address: string
}

/** The limits of listeners: in total, for each address, and for each channel. */
export interface WaitingLimits {
  readonly inAll: number
  readonly perAddress: number
  readonly perChannel: number
}

/** The listeners, by channel. */
export interface WaitingList<W extends WaitingPlace> {
  hasRoom(place: WaitingPlace): boolean
  add(waiting: W): void
  /** Whether it was in the list. */
  remove(waiting: W): boolean
  /** The listeners of a channel. */
  on(channel: string): readonly W[]
  all(): readonly W[]
  readonly size: number
}

/** Creates an empty list. */
export function createWaitingList<W extends WaitingPlace>(limits: WaitingLimits): WaitingList<W> {
  const byChannel = new Map<string, Set<W>>()
  const perAddress = new Map<string, number>()
  let size = 0

  const count = (address: string, change: 1 | -1): void => {
    const next = (perAddress.get(address) ?? 0) + change
    if (next === 0) perAddress.delete(address)
    else perAddress.set(address, next)
    size += change
  }

  return {
    hasRoom: ({ channel, address }) =>
      size < limits.inAll &&
      (perAddress.get(address) ?? 0) < limits.perAddress &&
      (byChannel.get(channel)?.size ?? 0) < limits.perChannel,

    add(waiting) {
      byChannel.set(waiting.channel, (byChannel.get(waiting.channel) ?? new Set()).add(waiting))
      count(waiting.address, 1)
    },

    remove(waiting) {
      const others = byChannel.get(waiting.channel)
      if (others?.delete(waiting) !== true) return false
      if (others.size === 0) byChannel.delete(waiting.channel)
      count(waiting.address, -1)
      return true
    },

    on: (channel) => [...(byChannel.get(channel) ?? [])],
    all: () => [...byChannel.values()].flatMap((waiting) => [...waiting]),

    get size() {
      return size
    },
  }
}
