import type { Json } from '../../storage/storage.ts'
import type { IdentificationOption, Identifying } from './identification.ts'
import type { FlowSnapshot } from './state.ts'
import type { FlowInput } from './view.ts'

/**
 * What is known already when a flow begins inside of another one: which option its first `identify` step takes, and either what
 * that has come to, or the input it gets.
 */
export type Carried =
  | { readonly option: IdentificationOption; readonly identifying: Identifying }
  | { readonly option: IdentificationOption; readonly input: FlowInput }

const name = 'carried'

/** As a note of the flow that takes it over. */
export function carriedNote(carried: Carried | null): { readonly [name: string]: Json } {
  return { [name]: carried as unknown as Json }
}

/** What was carried over and is not used yet. */
export function carriedOf({ notes }: FlowSnapshot): Carried | undefined {
  return (notes[name] ?? undefined) as unknown as Carried | undefined
}
