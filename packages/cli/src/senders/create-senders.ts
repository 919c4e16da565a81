import type { Logger } from '@gatehouse/core'
import type { OutgoingMessage, Sender, Senders } from '@gatehouse/core/auth'
import { createHttpSender, type HttpSenderSettings } from './http.ts'
import type { MessageSender } from './message-sender.ts'
import { createSmtpSender, type SmtpSettings } from './smtp.ts'

/** The senders of messages. */
export interface SenderSettings {
  readonly smtp: SmtpSettings | undefined
  readonly sms: HttpSenderSettings | undefined
  readonly whatsapp: HttpSenderSettings | undefined
  /** For development: logs messages, including codes and links. */
  readonly printCodes: boolean
}

/** Senders that are open. */
export interface OpenSenders {
  readonly senders: Senders
  close(): void
}

/** Creates the senders that the settings configure. The service logs their failures. */
export function createSenders(settings: SenderSettings, logger: Logger): OpenSenders {
  const { smtp, sms, whatsapp, printCodes } = settings
  const open = {
    email: smtp && createSmtpSender(smtp),
    sms: sms && createHttpSender(sms),
    whatsapp: whatsapp && createHttpSender(whatsapp),
  }
  const senderOf = (sender: MessageSender | undefined): Sender | undefined => {
    if (sender === undefined && !printCodes) return undefined
    return async (message) => {
      if (printCodes) print(message, logger)
      await sender?.send(message)
    }
  }
  const sendEmail = senderOf(open.email)
  const sendSms = senderOf(open.sms)
  const sendWhatsapp = senderOf(open.whatsapp)
  return {
    senders: {
      ...(sendEmail === undefined ? {} : { sendEmail }),
      ...(sendSms === undefined ? {} : { sendSms }),
      ...(sendWhatsapp === undefined ? {} : { sendWhatsapp }),
    },
    close() {
      for (const sender of Object.values(open)) sender?.close()
    },
  }
}

function print({ kind, channel, target, code, link }: OutgoingMessage, logger: Logger): void {
  logger.info({ kind, channel, to: target, code, link }, 'message')
}
