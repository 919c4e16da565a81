/** What works within a transaction of the app, if there is one. */
export interface InTransaction<Ports> {
  /** The transaction. `outside`: the same ports outside of it; `undefined` if these would wait for its end. */
  readonly transaction: { readonly outside: Ports | undefined } | undefined
}

/** The ports that store what remains true when a transaction of the app is rolled back, such as that a message was sent. */
export const outsideOf = <Ports extends InTransaction<Ports>>(ports: Ports): Ports =>
  ports.transaction?.outside ?? ports
