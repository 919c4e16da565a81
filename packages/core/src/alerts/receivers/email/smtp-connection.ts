import type SmtpConnection from 'nodemailer/lib/smtp-connection/index.js'
import { GatehouseError } from '../../../errors.ts'

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
  load: () => Promise<SmtpModule> = () => import('nodemailer/lib/smtp-connection/index.js'),
): Promise<typeof SmtpConnection> {
  try {
    return (await load()).default
  } catch (cause) {
    const message =
      'email needs the package "nodemailer", version 7 or later, which could not be loaded: npm install nodemailer'
    throw new GatehouseError('ServiceUnavailable', 'MissingPackage', message, { cause })
  }
}
