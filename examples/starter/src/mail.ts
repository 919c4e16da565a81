import type { OutgoingMessage } from '@gatehouse/core'

/** Prints a mail, until you put your mail server here. */
export async function printMail({ target, text }: OutgoingMessage): Promise<void> {
  console.log(`\nmail to ${target}:\n${text}`)
}
