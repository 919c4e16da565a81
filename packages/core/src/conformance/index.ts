export { type AdapterServe, describeAdapter, type RunningServer } from './adapter.ts'
export type {
  SharedStorageFactory,
  SharedStorageHarness,
  StorageFactory,
  StorageHarness,
} from './storage/harness.ts'
export { describeSharedStorage, describeStorage } from './storage.ts'
