/** Which browser on which system a browser says it is; what is not recognised is left out. */
export function deviceOf(userAgent: string): { browser?: string; system?: string } {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  return { ...(browser && { browser }), ...(system && { system }) };
}

type Marks = readonly (readonly [name: string, mark: RegExp])[];

/** In this order: most of them also say that they are one of those further down. */
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
