import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** Formats sizes, dates and numbers in the reader's locale. */
export function useFormat() {
  const { i18n } = useTranslation();
  return useMemo(() => createFormats(i18n.language), [i18n.language]);
}

/** The language with the browser's region: en-GB formats dates differently from en-US. */
export function localeOf(spoken: string): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === spoken) ?? spoken;
}

function createFormats(spoken: string) {
  const language = localeOf(spoken);
  const number = new Intl.NumberFormat(language);
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const second = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });

  return {
    number: (value: number) => number.format(value),
    bytes(value: number): string {
      const { unit, size } = byteUnits.find((known) => value >= known.size) ?? bytes;
      return new Intl.NumberFormat(language, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'byte' ? 'long' : 'short',
        maximumFractionDigits: value < 10 * size ? 1 : 0,
      }).format(value / size);
    },
    /** In milliseconds; from one second on, in seconds. */
    duration: (ms: number): string =>
      ms < 1000
        ? formatUnit(language, 'millisecond', ms, 0)
        : formatUnit(language, 'second', ms / 1000, ms < 60_000 ? 1 : 0),
    /** A day without a time, as `2027-03-31`. */
    day: (date: string) => day.format(new Date(`${date}T12:00`)),
    date: (iso: string) => moment.format(new Date(iso)),
    /** With seconds, to distinguish close events. */
    exactDate: (iso: string) => second.format(new Date(iso)),
    /** In how many seconds, minutes, hours or days that is. */
    relativeTime(seconds: number): string {
      const { unit, size } = timeUnits.find((known) => seconds >= known.size) ?? oneSecond;
      return ago.format(Math.ceil(seconds / size), unit);
    },
    /** Relative time; an absolute date after a month. */
    relativeDate(iso: string): string {
      const seconds = (Date.parse(iso) - Date.now()) / 1000;
      if (Math.abs(seconds) > 30 * 86_400) {
        return day.format(new Date(iso));
      }
      const { unit, size } = timeUnits.find((known) => Math.abs(seconds) >= known.size) ?? now;
      return ago.format(Math.round(seconds / size), unit);
    },
  };
}

function formatUnit(language: string, unit: string, value: number, digits: number): string {
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    maximumFractionDigits: digits,
  }).format(value);
}

const bytes = { unit: 'byte', size: 1 };
const byteUnits = [
  { unit: 'gigabyte', size: 1e9 },
  { unit: 'megabyte', size: 1e6 },
  { unit: 'kilobyte', size: 1e3 },
];

const oneSecond = { unit: 'second', size: 1 } as const;
/** Less than a minute is "now". */
const now = { unit: 'second', size: Number.POSITIVE_INFINITY } as const;
const timeUnits = [
  { unit: 'day', size: 86_400 },
  { unit: 'hour', size: 3600 },
  { unit: 'minute', size: 60 },
] as const;
