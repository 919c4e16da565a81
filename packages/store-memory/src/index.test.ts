import { describeStorage } from '@gatehouse/core/conformance'
import { createMemoryStorage } from './index.ts'

describeStorage('memory', async (clock) => createMemoryStorage({ clock }))
