/** A store may do its work without ever leaving this turn of the event loop; requests must come in between. */
export const letOthersRun = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
