import { describe } from 'vitest'
import { describeBasics } from './storage/basics.ts'
import { describeChanges } from './storage/changes.ts'
import { describeClosing } from './storage/closing.ts'
import { describeConcurrency } from './storage/concurrency.ts'
import { describeConnections } from './storage/connections.ts'
import { describeExpiry } from './storage/expiry.ts'
import { describeFind } from './storage/find.ts'
import type { SharedStorageFactory, StorageFactory } from './storage/harness.ts'
import { describePreconditions } from './storage/preconditions.ts'
import { describeValues } from './storage/values.ts'
import { describeViews } from './storage/views.ts'

/**
 * Tests the promises of the interface `Storage` for a store. Call it in a vitest test file.
 *
 * @param factory creates an empty store on the given clock. It is called before each test.
 */
export function describeStorage(name: string, factory: StorageFactory): void {
  describe(`${name} storage`, () => {
    describe('basics', () => describeBasics(factory))
    describe('values', () => describeValues(factory))
    describe('find', () => describeFind(factory))
    describe('expiry', () => describeExpiry(factory))
    describe('preconditions', () => describePreconditions(factory))
    describe('changes', () => describeChanges(factory))
    describe('concurrency', () => describeConcurrency(factory))
    describe('views', () => describeViews(factory))
    describe('closing', () => describeClosing(factory))
  })
}

/**
 * Tests that a store opened several times, by one process or by many, acts as one. Call it beside {@link describeStorage}.
 *
 * @param factory creates an empty store on the given clock, and opens further connections to it.
 */
export function describeSharedStorage(name: string, factory: SharedStorageFactory): void {
  describe(`${name} storage, opened several times`, () => describeConnections(factory))
}
