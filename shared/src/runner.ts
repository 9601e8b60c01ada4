/** How scripts of skills are kept apart from everything else. */
export const runnerTiers = ['bubblewrap', 'container', 'remote'] as const;
export type RunnerTier = (typeof runnerTiers)[number];
