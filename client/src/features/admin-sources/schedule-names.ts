/** Texts of the schedules. */
export const scheduleNames = {
  never: 'sources.schedules.never',
  hourly: 'sources.schedules.hourly',
  daily: 'sources.schedules.daily',
  weekly: 'sources.schedules.weekly',
} as const;
