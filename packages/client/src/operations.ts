// Method and path of each operation, from the tables of core. The build copies them, so that this package needs no other.
export { alertsOperations } from '../../core/src/alerts/wire/operations.ts'
export {
  accountOperations,
  flowOperations,
  userOperations,
} from '../../core/src/auth/wire/operations.ts'
export { webhookOperations } from '../../core/src/webhook/wire/operations.ts'
