/** No-op for rejections and `error` events that need no handling; the call site explains why. */
export function ignore(): void {}
