/** Highest number of a version of a skill, and a bound for numbers that people write. */
export const maxVersionNumber = 1_000_000_000;
