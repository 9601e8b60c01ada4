/** Wrong usage of a command; the message explains the right one. */
export class UsageError extends Error {}
