/** Exit code of a command that did its work and has bad news: a failed test, a problem found, an alert that moves. */
export const badNews = 1
/** Exit code for a program that cannot serve: a taken port, a certificate that cannot be read. */
export const cannotServe = 1
/** Exit code for wrong usage, and for a file, a storage or a server that cannot be used. */
export const badUsage = 2
