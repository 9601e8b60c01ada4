/** Detects browser and operating system from a User-Agent header. Unknown ones are omitted. */
export function parseUserAgent(userAgent: string): { browser?: string; system?: string } {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  return { ...(browser && { browser }), ...(system && { system }) };
}

type Marks = readonly (readonly [name: string, mark: RegExp])[];

/** Order matters: most browsers also claim to be one of those below. */
const browsers: Marks = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];

const systems: Marks = [
  ['iOS', /\biPhone\b/],
  ['iPadOS', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

function nameIn(marks: Marks, userAgent: string): string | undefined {
  return marks.find(([, mark]) => mark.test(userAgent))?.[0];
}
