import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { flag, objectOf, text } from '../../storage/record-check.ts'

/** A flow that has not ended, by its id. Removing the record ends the flow. */
export const flowCollection: TypedCollection<{ readonly sealed: string }> = defineCollection({
  name: 'auth_flows',
  unreadable: 'skip',
  check: objectOf<{ readonly sealed: string }>({ sealed: text }),
})

/** A stored state of a flow. */
export interface StateRecord {
  readonly flow_id: string
  readonly sealed: string
}

/** The states of flows, by the SHA-256 of their tokens. */
export const stateCollection: TypedCollection<StateRecord> = defineCollection({
  name: 'auth_states',
  unreadable: 'skip',
  check: objectOf<StateRecord>({
    flow_id: text,
    sealed: text,
  }),
})

/** Values that all states of a flow share, by the flow's id. */
export const flowMemoryCollection: TypedCollection<{
  readonly is_bot_protection_passed: boolean
}> = defineCollection({
  name: 'auth_flow_memories',
  unreadable: 'skip',
  check: objectOf<{ readonly is_bot_protection_passed: boolean }>({
    is_bot_protection_passed: flag,
  }),
})
