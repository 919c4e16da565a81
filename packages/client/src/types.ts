// The types of requests and answers, as core writes them from its schemas. The build copies them into the declarations, so that this
// package needs no other.
export type * from '../../core/src/alerts/wire/types.generated.ts'
export type * from '../../core/src/auth/wire/types.generated.ts'
export type * from '../../core/src/webhook/wire/types.generated.ts'
