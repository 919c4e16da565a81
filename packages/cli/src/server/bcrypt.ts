export { loadBcryptVerify } from '@gatehouse/core/auth'
