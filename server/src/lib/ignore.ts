/** For a rejection or an `error` event that needs no reaction: the comment at the call says why. */
export function ignore(): void {}
