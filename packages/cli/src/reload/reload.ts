import type { Logger } from '@gatehouse/core'
import { failureLines } from '../config/failure.ts'
import { createReadFiles, type ReadFiles } from '../config/read-files.ts'
import type { Service } from '../service.ts'

/** The configuration of a running program, which can be reloaded. */
export interface Reloading<Loaded> {
  /** The configuration read by the current reload. Outside of a reload, as for a request, reads it, and logs what is wrong with it. */
  read(): Promise<Loaded>
  /** Reads everything again, and applies it if all of it is good. Logs what is wrong with it, once for all services. */
  reload(parts: ReloadParts<Loaded>): Promise<void>
}

/** The parts of the program that apply a configuration. */
export interface ReloadParts<Loaded> {
  /** Each fetches its part with `read`, counts a refusal, and logs a problem that only it has found. */
  readonly services: readonly Service[]
  /** Applies the rest. */
  readonly apply: (loaded: Loaded) => void | Promise<void>
  /** Called with the digests of the files read, and whether all of them were good. */
  readonly onRead?: (digests: ReadonlyMap<string, string>, isGood: boolean) => void
}

/** Options of {@link createReloading}. */
export interface ReloadingOptions<Loaded> {
  /** Reads and checks everything; its error lists all problems. */
  readonly load: (files: ReadFiles) => Promise<Loaded>
  readonly logger: Logger
  /** Called when one service reloads by itself, as for a request. */
  readonly onSingle?: (() => void) | undefined
}

/** Creates the {@link Reloading} of a program that has read its configuration once. */
export function createReloading<Loaded>({
  load,
  logger,
  onSingle = () => {},
}: ReloadingOptions<Loaded>): Reloading<Loaded> {
  let pending: Promise<Loaded> | undefined
  const loadAgain = (files: ReadFiles): Promise<Loaded> =>
    load(files).catch((error: unknown) => {
      for (const line of failureLines(error)) logger.error({ error: line }, 'reload failed')
      throw error
    })
  return {
    read() {
      if (pending !== undefined) return pending
      onSingle()
      return loadAgain(createReadFiles())
    },
    async reload({ services, apply, onRead = () => {} }) {
      const files = createReadFiles()
      pending = loadAgain(files)
      try {
        const [loaded] = await Promise.allSettled([pending])
        onRead(files.digests, loaded.status === 'fulfilled')
        // Services reload in either case: they report whether their last reload was good.
        const reloads = await Promise.allSettled(services.map((service) => service.reload()))
        if (loaded.status === 'rejected') return
        const refusing = services.filter((_, index) => reloads[index]?.status === 'rejected')
        for (const { name } of refusing) logger.error({ service: name }, 'reload failed')
        if (refusing.length === 0) await apply(loaded.value)
      } catch (error) {
        logger.error({ err: error }, 'reload failed')
      } finally {
        pending = undefined
      }
    },
  }
}
