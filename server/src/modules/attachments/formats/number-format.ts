/** How a workbook displays a number. */
export interface NumberFormat {
  kind: 'plain' | 'date' | 'time' | 'date-time' | 'duration' | 'percent' | 'currency';
  decimals: number;
  /** Currency symbol. */
  symbol: string;
  isSymbolFirst: boolean;
}

const plain: NumberFormat = { kind: 'plain', decimals: 0, symbol: '', isSymbolFirst: false };
/** The maximum of Excel. */
const maxDecimals = 30;
const secondsOfDay = 86_400;
/** Days between the two epochs of workbooks. */
const days1904 = 1462;
/** 1 January 1970, in days of a workbook. */
const unixEpoch = 25_569;
/** The end of the year 9999. */
const maxDays = 2_958_466;

/** Built-in formats without a code: ECMA-376, Part 1, 18.8.30. */
const builtin: Readonly<Record<number, string>> = {
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
};

/** @param code of a custom format; by default, the built-in format with this ID */
export function parseNumberFormat(id: number, code = builtin[id] ?? ''): NumberFormat {
  const [positive = ''] = code.split(';');
  const symbol = /\[\$([^\]-]*)[^\]]*\]|"?([€$£¥₹₽₩₺₴]|CHF|EUR|USD|GBP)"?/.exec(positive);
  const bare = positive
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[\$[^\]]*\]/g, '')
    .toLowerCase();
  if (/\[(?:h+|m+|s+)\]/.test(bare)) {
    return { ...plain, kind: 'duration' };
  }
  const letters = bare.replace(/\[[^\]]*\]/g, '').replace(/general|am\/pm|a\/p/g, '');
  const hasTime = /[hs]/.test(letters);
  const hasDate = /[yd]/.test(letters) || (letters.includes('m') && !hasTime);
  if (hasDate || hasTime) {
    return { ...plain, kind: hasDate ? (hasTime ? 'date-time' : 'date') : 'time' };
  }
  const decimals = Math.min(/\.([0#?]+)/.exec(letters)?.[1]?.length ?? 0, maxDecimals);
  if (letters.includes('%')) {
    return { ...plain, kind: 'percent', decimals };
  }
  const sign = symbol?.[1] ?? symbol?.[2] ?? '';
  const isSymbolFirst = symbol !== null && symbol.index < positive.search(/[0#?]/);
  return sign ? { kind: 'currency', decimals, symbol: sign, isSymbolFirst } : plain;
}

/**
 * Formats a number as displayed, with ISO 8601 dates and times and without thousands separators.
 *
 * @param is1904 whether the workbook counts days from 1904
 */
export function formatNumber(value: number, format: NumberFormat, is1904: boolean): string {
  const { kind, decimals, symbol, isSymbolFirst } = format;
  switch (kind) {
    case 'plain':
      return String(value);
    case 'percent':
      return `${(value * 100).toFixed(decimals)}%`;
    case 'currency': {
      const amount = value.toFixed(decimals);
      return isSymbolFirst ? `${symbol} ${amount}` : `${amount} ${symbol}`;
    }
    case 'duration':
      return durationOf(Math.round(value * secondsOfDay));
    default:
      return momentOf(value, kind, is1904);
  }
}

function durationOf(total: number): string {
  const seconds = Math.abs(total);
  const hours = Math.floor(seconds / 3600);
  return `${total < 0 ? '-' : ''}${twoDigits(hours)}:${minutesOf(seconds)}`;
}

function momentOf(value: number, kind: 'date' | 'time' | 'date-time', is1904: boolean): string {
  const days = is1904 ? value + days1904 : value;
  if (!(days >= 0 && days < maxDays)) {
    return String(value);
  }
  const total = Math.round(days * secondsOfDay);
  const ofDay = total % secondsOfDay;
  const time = `${twoDigits(Math.floor(ofDay / 3600))}:${minutesOf(ofDay)}`;
  if (kind === 'time') {
    return time;
  }
  const whole = Math.floor(total / secondsOfDay);
  // Workbooks treat 1900 as a leap year.
  const shift = !is1904 && whole < 60 ? 1 : 0;
  const date = new Date((whole + shift - unixEpoch) * secondsOfDay * 1000)
    .toISOString()
    .slice(0, 10);
  return kind === 'date' && ofDay === 0 ? date : `${date} ${time}`;
}

/** Minutes, and seconds unless zero. */
function minutesOf(seconds: number): string {
  const minutes = twoDigits(Math.floor(seconds / 60) % 60);
  return seconds % 60 === 0 ? minutes : `${minutes}:${twoDigits(seconds % 60)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
