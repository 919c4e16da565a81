// For `node --import`: hides the packages named in WITHOUT_PACKAGES, as if they were not installed.
import { register } from 'node:module'

const names = JSON.stringify((process.env.WITHOUT_PACKAGES ?? '').split(','))
const hooks = `export async function resolve(specifier, context, next) {
  const name = ${names}.find((one) => specifier === one || specifier.startsWith(one + '/'))
  if (name === undefined) return next(specifier, context)
  const message = "Cannot find package '" + name + "' imported from " + context.parentURL
  throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
