import type { InstantInput } from './instant.ts'

/**
 * A request of an HTTP interface as a program passes it: `Instants` may be given in every form, and an optional member may be
 * `undefined`.
 */
export type FromCode<T, Instants extends keyof T = never> = {
  readonly [Member in keyof T]:
    | (Member extends Instants ? InstantInput : T[Member])
    | (object extends Pick<T, Member> ? undefined : never)
}
