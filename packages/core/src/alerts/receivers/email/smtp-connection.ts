import type SmtpConnection from 'nodemailer/lib/smtp-connection/index.js'
import { GatehouseError } from '../../../errors.ts'
import { importInstalled, withFunction } from '../../../optional-package.ts'

/** The part of the package that is used. */
export interface SmtpModule {
  readonly default: typeof SmtpConnection
}

/**
 * Loads the SMTP package, an optional peer dependency.
 *
 * @throws {GatehouseError} `MissingPackage`
 */
export async function loadSmtpConnection(
  load: () => Promise<SmtpModule> = importSmtpConnection,
): Promise<typeof SmtpConnection> {
  try {
    return (await load()).default
  } catch (cause) {
    const message =
      'email needs the package "nodemailer", version 7 or later, which could not be loaded: npm install nodemailer'
    throw new GatehouseError('ServiceUnavailable', 'MissingPackage', message, { cause })
  }
}

/**
 * The `import()` is in a `try` of its own function: then bundlers accept that the package may be missing. webpack warns nevertheless
 * of a file of a package, so it is to leave this import alone.
 */
async function importSmtpConnection(): Promise<SmtpModule> {
  try {
    return withFunction(
      await import(/* webpackIgnore: true */ 'nodemailer/lib/smtp-connection/index.js'),
      'default',
    )
  } catch {
    return importInstalled('nodemailer/lib/smtp-connection/index.js')
  }
}
