import type { Collection } from '@gatehouse/core/store'
import { appCollection } from './apps/authorized-app.ts'
import { keyRings } from './keys.ts'
import { modelCollections } from './models/model-record.ts'

/** All collections of the authorization server, for programs that create the tables in advance. */
export const oidcCollections: readonly Collection[] = Object.freeze([
  ...new Set<Collection>(Object.values(modelCollections)),
  appCollection,
  keyRings,
])
