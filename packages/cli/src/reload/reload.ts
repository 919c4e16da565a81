import type { Logger } from '@gatehouse/core'
import { failureLines } from '../config/failure.ts'
import { createReadFiles, type ReadFiles } from '../config/read-files.ts'
import type { Service } from '../service.ts'

/** The configuration of a running program, which can be read again. */
export interface Reloading<Loaded> {
  /** What is read by the reload that runs now; else it is read for whoever asks. */
  read(): Promise<Loaded>
  /** Reads everything again, and has it taken over if all of it is good. Logs its failures. */
  reload(parts: ReloadParts<Loaded>): Promise<void>
}

/** Who takes over what was read. */
export interface ReloadParts<Loaded> {
  /** They fetch what is theirs by `read`, and count a refusal. */
  readonly services: readonly Service[]
  readonly logger: Logger
  /** Takes the rest over. */
  readonly apply: (loaded: Loaded) => void | Promise<void>
  /** Called with what was read of the files, and whether all of it was good. */
  readonly onRead?: (digests: ReadonlyMap<string, string>, isGood: boolean) => void
}

/** @param load reads and checks everything; what it throws says all that is wrong. */
export function createReloading<Loaded>(
  load: (files: ReadFiles) => Promise<Loaded>,
): Reloading<Loaded> {
  let pending: Promise<Loaded> | undefined
  return {
    read: () => pending ?? load(createReadFiles()),
    async reload({ services, logger, apply, onRead = () => {} }) {
      const files = createReadFiles()
      pending = load(files)
      try {
        const [loaded] = await Promise.allSettled([pending])
        onRead(files.digests, loaded.status === 'fulfilled')
        // Services are asked to reload in either case: they show whether their last reload was good.
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
