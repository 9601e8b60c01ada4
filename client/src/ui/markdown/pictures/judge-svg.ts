/** What becomes of an SVG: shown, or not, and for which part of it. */
type Judged =
  | { verdict: 'safe'; svg: string; title: string; part?: never }
  | { verdict: 'unsafe'; part: string }
  | { verdict: 'too-large'; part?: never };

const longest = 200_000;
/** What is drawn, with all that is drawn by reference, each time again. */
const mostDrawn = 20_000;

/** An image does not run or load any of it; that a picture has it says that it is not meant as one. */
const unsafeParts = new Set([
  'script',
  'foreignobject',
  'iframe',
  'object',
  'embed',
  'image',
  'feimage',
  'a',
  'set',
  'animate',
]);
const svgNamespace = 'http://www.w3.org/2000/svg';

/** Looks at an SVG before it is shown as an image. Nothing of it is run or loaded meanwhile. */
export function judgeSvg(text: string): Judged {
  if (text.length > longest) {
    return { verdict: 'too-large' };
  }
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    return { verdict: 'unsafe', part: '<!DOCTYPE' };
  }
  const root = new DOMParser().parseFromString(
    withNamespace(text),
    'image/svg+xml',
  ).documentElement;
  const elements = [root, ...root.querySelectorAll('*')];
  if (root.localName !== 'svg' || elements.some(({ localName }) => localName === 'parsererror')) {
    return { verdict: 'too-large' };
  }
  const part = elements.map(unsafePartOf).find((found) => found !== undefined);
  if (part !== undefined) {
    return { verdict: 'unsafe', part };
  }
  if (drawnParts(root) > mostDrawn) {
    return { verdict: 'too-large' };
  }
  giveSize(root);
  const title = root.querySelector('title')?.textContent?.trim() ?? '';
  return { verdict: 'safe', svg: new XMLSerializer().serializeToString(root), title };
}

/** Sides of a picture that says only how they relate are at least so long, in pixels. */
const shortestSide = 240;

/** What has no size of its own would be as wide as the answer. */
function giveSize(root: Element): void {
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '')
    .split(/[\s,]+/)
    .map(Number);
  if (!root.hasAttribute('width') && width > 0 && height > 0) {
    const scale = Math.max(1, shortestSide / Math.max(width, height));
    root.setAttribute('width', String(width * scale));
    root.setAttribute('height', String(height * scale));
  }
}

/** Models leave it out; HTML needs none, an image does. */
function withNamespace(text: string): string {
  return /<svg[^>]*\sxmlns\s*=/.test(text)
    ? text.trim()
    : text.trim().replace(/<svg(?=[\s>])/, `<svg xmlns="${svgNamespace}"`);
}

function unsafePartOf(element: Element): string | undefined {
  if (unsafeParts.has(element.localName.toLowerCase())) {
    return `<${element.localName}>`;
  }
  if (
    element.localName === 'style' &&
    /@import|url\s*\(\s*["']?(?!#)/i.test(element.textContent ?? '')
  ) {
    return '<style>';
  }
  return [...element.attributes].find(isUnsafe)?.name;
}

function isUnsafe({ name, localName, value }: Attr): boolean {
  return (
    /^on/i.test(name) ||
    (localName === 'href' && !value.trim().startsWith('#')) ||
    /url\s*\(\s*["']?\s*(?!["'#\s])/i.test(value)
  );
}

/** How many parts are drawn. What refers to itself has no end. */
function drawnParts(root: Element): number {
  const byId = new Map([...root.querySelectorAll('[id]')].map((element) => [element.id, element]));
  const known = new Map<Element, number>();
  const count = (element: Element): number => {
    const before = known.get(element);
    if (before !== undefined) {
      return before;
    }
    known.set(element, Number.POSITIVE_INFINITY);
    let sum = 1;
    for (const next of [...element.children, ...referredBy(element, byId)]) {
      sum += count(next);
    }
    known.set(element, sum);
    return sum;
  };
  return count(root);
}

function referredBy(element: Element, byId: Map<string, Element>): Element[] {
  return [...element.attributes].flatMap(({ localName, value }) => {
    const id =
      localName === 'href'
        ? value.trim().slice(1)
        : /url\s*\(\s*["']?#([^"')\s]+)/.exec(value)?.[1];
    const found = byId.get(id ?? '');
    return found ? [found] : [];
  });
}
