import type { Json } from '../../storage/storage.ts'
import type { IdentificationOption, Identifying } from './identification.ts'
import type { FlowSnapshot } from './state.ts'
import type { FlowInput } from './view.ts'

/**
 * The start of a nested flow: the option for its first `identify` step, and either the outcome of that option or its input.
 */
export type Carried =
  | { readonly option: IdentificationOption; readonly identifying: Identifying }
  | { readonly option: IdentificationOption; readonly input: FlowInput }

const name = 'carried'

/** The carried value as a note, for the flow that starts with it. */
export function carriedNote(carried: Carried | null): { readonly [name: string]: Json } {
  return { [name]: carried as unknown as Json }
}

/** The carried value, until it is used. */
export function carriedOf({ notes }: FlowSnapshot): Carried | undefined {
  return (notes[name] ?? undefined) as unknown as Carried | undefined
}
