import { z } from 'zod';
import { type Tool, toolError } from '../tool.ts';
import { builtinTool } from './builtin-tool.ts';
import type { CreateTool } from './builtin-tools.ts';

export const createTool: CreateTool = () => currentTimeTool();

/** Date and time in the requested time zone, by default that of the server. */
export function currentTimeTool(now = () => new Date()): Tool {
  return builtinTool({
    name: 'current_time',
    hints: { readOnly: true, destructive: false, openWorld: false },
    consent: 'never',
    arguments: z.strictObject({
      time_zone: z.string().max(64).optional(),
    }),
    run: ({ time_zone: wanted }) => {
      const zone = wanted ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
      if (!isTimeZone(zone)) {
        const text = `There is no time zone "${zone}". Use a name such as Europe/Berlin or UTC.`;
        return toolError(text, 'wrong arguments');
      }
      const local = localTime(now(), zone);
      const structured = { ...local, timeZone: zone };
      const { weekday, iso, week } = local;
      const content = `${weekday}, ${iso} (${zone}), calendar week ${week}`;
      return { content, isError: false, summary: iso, structured };
    },
  });
}

function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

function localTime(now: Date, timeZone: string): { iso: string; weekday: string; week: number } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  const parts = Object.fromEntries(
    format.formatToParts(now).map(({ type, value }) => [type, value]),
  );
  const { weekday = '', year, month, day, hour, minute, second, timeZoneName = '' } = parts;
  const date = `${year}-${month}-${day}`;
  const offset = timeZoneName.replace('GMT', '') || '+00:00';
  return {
    iso: `${date}T${hour}:${minute}:${second}${offset}`,
    weekday,
    week: calendarWeek(new Date(date)),
  };
}

const dayMs = 86_400_000;

/** ISO 8601 week: week 1 contains the year's first Thursday. */
function calendarWeek(date: Date): number {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * dayMs);
  const start = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return Math.floor((thursday.getTime() - start) / dayMs / 7) + 1;
}
