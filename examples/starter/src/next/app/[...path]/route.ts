import { gatehouse } from '../../gatehouse.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = gatehouse.handlers
