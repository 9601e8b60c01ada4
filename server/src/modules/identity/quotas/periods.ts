/** The UTC day and month of a time, as usage is counted. */
export interface Periods {
  /** `2026-11-23` */
  day: string;
  /** The first day of the month. */
  monthBegins: string;
  dayEndsAt: Date;
  monthEndsAt: Date;
}

export function periodsAt(now: Date): Periods {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return {
    day: now.toISOString().slice(0, 10),
    monthBegins: new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10),
    dayEndsAt: new Date(Date.UTC(year, month, date + 1)),
    monthEndsAt: new Date(Date.UTC(year, month + 1, 1)),
  };
}
