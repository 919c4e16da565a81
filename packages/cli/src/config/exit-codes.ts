/** Exit code for a program that cannot serve: a taken port, a certificate that cannot be read. */
export const cannotServe = 1
/** Exit code for wrong usage and for a file that cannot be used. */
export const badUsage = 2
