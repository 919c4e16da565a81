import type { Server } from '../packages/cli/test/support/server.ts'
import type { Fault } from './plan.ts'
import type { Story } from './story.ts'

/** The processes of one storage. */
export interface Processes {
  /** Those that are there and were not stopped. */
  up(): readonly Server[]
  /** Lets a fault happen. Settles when the process is back, or at once if it is away already. */
  strike(fault: Fault): Promise<void>
  /** Lets all that are stopped go on. */
  resume(): void
  /** Ends all in good order. */
  end(): Promise<void>
  /** How many faults there were of each kind. */
  counts(): Readonly<Record<string, number>>
  /** Ends what is left of them, whatever its state. */
  kill(): Promise<void>
}

/** Options of {@link startProcesses}. */
export interface ProcessesOptions {
  readonly count: number
  /** Starts one; settles when it is ready. */
  readonly launch: () => Promise<Server>
  readonly story: Story
}

interface Place {
  readonly name: string
  server: Server
  state: 'up' | 'stopped' | 'away'
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** All that were started and have not ended: they end with this program, however they are. */
const living = new Set<Server>()
process.once('exit', () => {
  for (const server of living) server.kill('SIGKILL')
})

/** Starts so many processes, and again whatever a fault ended. */
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
      story.fail('a process goes on', `${end}:\n${server.output()}`)
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
      // One that is stopped does not end politely.
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
