import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alertmanagerBinary, describeWith } from '../../../test-support/binaries.ts'
import { startAlertmanager, startGatehouse } from './support/server.ts'
import {
  type Played,
  type PlayedNotification,
  type Player,
  playTimelines,
  startPlayer,
} from './support/timeline-player.ts'
import { timelines } from './support/timelines.ts'

/** Half a tick: a notification of another tick is further away. */
const toleranceSeconds = 1.5
/** A busy machine may delay either server, but hardly this often: a difference that remains is real. */
const maxPlays = 3
const secondsOfPlay = 60

describeWith(
  [alertmanagerBinary],
  'Gatehouse beside the real Alertmanager, with the same alerts',
  () => {
    const players: Player[] = []
    let reference: Played = new Map()
    /** A second real one shows that the differences found are real. */
    let control: Played = new Map()
    let subject: Played = new Map()

    beforeAll(
      async () => {
        for (let plays = 1; plays <= maxPlays; plays++) {
          await stop()
          for (const start of [startAlertmanager, startAlertmanager, startGatehouse]) {
            players.push(await startPlayer(start))
          }
          const played = await playTimelines(players, timelines)
          ;[reference = reference, control = control, subject = subject] = played
          if (isLike(control) && isLike(subject)) return
        }
      },
      maxPlays * secondsOfPlay * 1_000,
    )

    const stop = async (): Promise<void> => {
      await Promise.all(players.splice(0).map((player) => player.stop()))
    }
    afterAll(stop)

    const all = (played: Played, name: string): [string, readonly PlayedNotification[]][] =>
      [...(played.get(name) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))

    const contents = (played: Played, name: string) =>
      all(played, name).map(([stream, notifications]) => [
        stream,
        notifications.map(({ content }) => content),
      ])

    const times = (played: Played, name: string) =>
      all(played, name).map(([stream, notifications]) => [
        stream,
        notifications.map(({ at }) => at.toFixed(1)),
      ])

    /** The largest distance, in seconds, between the times of a timeline and those of the reference. */
    const farthest = (played: Played, name: string): number => {
      const moments = (of: Played) => all(of, name).flatMap(([, notifications]) => notifications)
      const differences = moments(reference).map(({ at }, index) =>
        Math.abs(at - (moments(played)[index]?.at ?? 0)),
      )
      return Math.max(0, ...differences)
    }

    const isLike = (played: Played): boolean =>
      timelines.every(
        ({ name }) =>
          isDeepStrictEqual(contents(played, name), contents(reference, name)) &&
          farthest(played, name) < toleranceSeconds,
      )

    it.each(timelines)('$name', ({ name, atLeast }) => {
      const expected = all(reference, name)
      const seen = JSON.stringify([times(reference, name), times(subject, name)])
      expect(contents(control, name), 'the two real ones differ').toEqual(contents(reference, name))
      expect(contents(subject, name), seen).toEqual(contents(reference, name))
      expect(farthest(subject, name), seen).toBeLessThan(toleranceSeconds)
      expect(expected.flatMap(([, notifications]) => notifications).length).toBeGreaterThanOrEqual(
        atLeast,
      )
    })

    it('sends no other notifications', () => {
      const names = timelines.map(({ name }) => name)
      expect([...subject.keys()].filter((name) => !names.includes(name))).toEqual([])
    })
  },
)
