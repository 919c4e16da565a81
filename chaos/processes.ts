import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../packages/cli/test/support/server.ts'
import type { Fault } from './plan.ts'
import type { Story } from './story.ts'

/** The processes that share one storage. */
export interface Processes {
  /** The processes that are running and not stopped. */
  up(): readonly Server[]
  /** Applies a fault. Resolves when the process is back, or at once if it is already away. */
  strike(fault: Fault): Promise<void>
  /** Continues all stopped processes. */
  resume(): void
  /** Ends all processes with SIGTERM. */
  end(): Promise<void>
  /** How many faults of each kind have happened. */
  counts(): Readonly<Record<string, number>>
  /** Kills the remaining processes, whatever their state. */
  kill(): Promise<void>
}

/** Options of {@link startProcesses}. */
export interface ProcessesOptions {
  readonly count: number
  /** Starts one process; resolves when it is ready. */
  readonly launch: () => Promise<Server>
  readonly story: Story
}

interface Place {
  readonly name: string
  server: Server
  state: 'up' | 'stopped' | 'away'
}

/** All started processes that have not ended: they end with this program, in whatever state they are. */
const living = new Set<Server>()
process.once('exit', () => {
  for (const server of living) server.kill('SIGKILL')
})

/** Starts this many processes, and restarts each process that a fault ends. */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const { count, story } = options
  const places: Place[] = []
  const counts = { kills: 0, stops: 0, ends: 0 }

  const launch = async (): Promise<Server> => {
    const server = await options.launch()
    living.add(server)
    void server.exited.then(() => living.delete(server))
    return server
  }

  const watch = ({ name, server }: Place): void => {
    void server.exited.then(({ code, signal }) => {
      const place = places.find((one) => one.name === name)
      if (place?.server !== server || place.state === 'away') return
      place.state = 'away'
      const end = `${name} ended by itself with ${code ?? signal}`
      story.fail('a process does not end by itself', `${end}:\n${server.output()}`)
    })
  }

  const end = async (place: Place, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const { name, server } = place
    place.state = 'away'
    story.note(name, signal)
    server.kill(signal)
    const { code, signal: by } = await server.exited
    if (signal === 'SIGTERM' && code !== 0) {
      story.fail('a process ends with 0', `${name} ended with ${code ?? by}:\n${server.output()}`)
    }
  }

  const begin = async (place: Place): Promise<void> => {
    place.server = await launch()
    place.state = 'up'
    story.note(place.name, `started, pid ${place.server.pid}`)
    watch(place)
  }

  const goOn = (place: Place): void => {
    if (place.state !== 'stopped') return
    place.server.kill('SIGCONT')
    place.state = 'up'
    story.note(place.name, 'SIGCONT')
  }

  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const place: Place = { name: `process ${index}`, server: await launch(), state: 'up' }
      places.push(place)
      watch(place)
    }),
  )

  return {
    up: () => places.filter(({ state }) => state === 'up').map(({ server }) => server),

    async strike({ kind, process, forMs }) {
      const place = places[process]
      if (place === undefined || place.state === 'away') return
      if (kind === 'stop') {
        if (place.state === 'stopped') return
        const { server } = place
        place.state = 'stopped'
        counts.stops++
        story.note(place.name, `SIGSTOP for ${forMs} ms`)
        server.kill('SIGSTOP')
        await sleep(forMs)
        if (place.server === server) goOn(place)
        return
      }
      // A stopped process does not react to SIGTERM.
      const isKill = kind === 'kill' || place.state === 'stopped'
      counts[isKill ? 'kills' : 'ends']++
      await end(place, isKill ? 'SIGKILL' : 'SIGTERM')
      await sleep(forMs)
      await begin(place)
    },

    counts: () => counts,
    resume: () => places.forEach(goOn),

    async end() {
      const there = places.filter(({ state }) => state === 'up')
      await Promise.all(there.map((place) => end(place, 'SIGTERM')))
    },

    async kill() {
      for (const place of places) {
        place.state = 'away'
        place.server.kill('SIGKILL')
      }
      await Promise.all(places.map(({ server }) => server.exited))
    },
  }
}
