import type { Logger } from '@gatehouse/core'
import { failureLines } from '../config/failure.ts'
import { createReadFiles, type ReadFiles } from '../config/read-files.ts'
import type { Service } from '../service.ts'

/** The configuration of a running program, which can be reloaded. */
export interface Reloading<Loaded> {
  /** The configuration read by the current reload; outside of a reload, reads it. */
  read(): Promise<Loaded>
  /** Reads everything again, and applies it if all of it is good. Logs failures. */
  reload(parts: ReloadParts<Loaded>): Promise<void>
}

/** The parts of the program that apply a configuration. */
export interface ReloadParts<Loaded> {
  /** Each fetches its part with `read`, and counts a refusal. */
  readonly services: readonly Service[]
  readonly logger: Logger
  /** Applies the rest. */
  readonly apply: (loaded: Loaded) => void | Promise<void>
  /** Called with the digests of the files read, and whether all of them were good. */
  readonly onRead?: (digests: ReadonlyMap<string, string>, isGood: boolean) => void
}

/**
 * @param load reads and checks everything; its error lists all problems.
 * @param onSingle called when one service reloads by itself, as for a request.
 */
export function createReloading<Loaded>(
  load: (files: ReadFiles) => Promise<Loaded>,
  onSingle: () => void = () => {},
): Reloading<Loaded> {
  let pending: Promise<Loaded> | undefined
  return {
    read() {
      if (pending !== undefined) return pending
      onSingle()
      return load(createReadFiles())
    },
    async reload({ services, logger, apply, onRead = () => {} }) {
      const files = createReadFiles()
      pending = load(files)
      try {
        const [loaded] = await Promise.allSettled([pending])
        onRead(files.digests, loaded.status === 'fulfilled')
        // Services reload in either case: they report whether their last reload was good.
        const reloads = await Promise.allSettled(services.map((service) => service.reload()))
        const refused = [loaded, ...reloads].find((one) => one.status === 'rejected')
        if (refused !== undefined) throw refused.reason
        if (loaded.status === 'fulfilled') await apply(loaded.value)
      } catch (error) {
        for (const line of failureLines(error)) logger.error({ error: line }, 'reload failed')
      } finally {
        pending = undefined
      }
    },
  }
}
