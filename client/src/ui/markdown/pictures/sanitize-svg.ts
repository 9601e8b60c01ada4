/** The verdict on an SVG: shown, or rejected because of a part. */
type Judged =
  | { verdict: 'safe'; svg: string; title: string; part?: never }
  | { verdict: 'unsafe'; part: string }
  | { verdict: 'too-large'; part?: never };

const longest = 200_000;
/** Maximum number of drawn elements, counting each reference again (billion laughs). */
const mostDrawn = 20_000;

/** An image neither runs nor loads these; a picture that contains them is not meant as one. */
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

/** Sanitizes an SVG before it is shown as an image. Nothing of it is run or loaded. */
export function sanitizeSvg(text: string): Judged {
  if (text.length > longest) {
    return { verdict: 'too-large' };
  }
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    return { verdict: 'unsafe', part: '<!DOCTYPE' };
  }
  const root = new DOMParser().parseFromString(addNamespace(text), 'image/svg+xml').documentElement;
  const elements = [root, ...root.querySelectorAll('*')];
  if (root.localName !== 'svg' || elements.some(({ localName }) => localName === 'parsererror')) {
    return { verdict: 'too-large' };
  }
  const part = elements.map(findUnsafePart).find((found) => found !== undefined);
  if (part !== undefined) {
    return { verdict: 'unsafe', part };
  }
  if (countDrawnElements(root) > mostDrawn) {
    return { verdict: 'too-large' };
  }
  ensureSize(root);
  const title = root.querySelector('title')?.textContent?.trim() ?? '';
  return { verdict: 'safe', svg: new XMLSerializer().serializeToString(root), title };
}

/** Minimum sides of a picture with only an aspect ratio, in pixels. */
const shortestSide = 240;

/** Without a size, it would be as wide as the answer. */
function ensureSize(root: Element): void {
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '')
    .split(/[\s,]+/)
    .map(Number);
  if (!root.hasAttribute('width') && width > 0 && height > 0) {
    const scale = Math.max(1, shortestSide / Math.max(width, height));
    root.setAttribute('width', String(width * scale));
    root.setAttribute('height', String(height * scale));
  }
}

/** Models omit it; HTML does not need it, an image does. */
function addNamespace(text: string): string {
  return /<svg[^>]*\sxmlns\s*=/.test(text)
    ? text.trim()
    : text.trim().replace(/<svg(?=[\s>])/, `<svg xmlns="${svgNamespace}"`);
}

function findUnsafePart(element: Element): string | undefined {
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

/** The number of drawn elements. Circular references are infinite. */
function countDrawnElements(root: Element): number {
  const byId = new Map([...root.querySelectorAll('[id]')].map((element) => [element.id, element]));
  const known = new Map<Element, number>();
  const count = (element: Element): number => {
    const before = known.get(element);
    if (before !== undefined) {
      return before;
    }
    known.set(element, Number.POSITIVE_INFINITY);
    let sum = 1;
    for (const next of [...element.children, ...getReferencedElements(element, byId)]) {
      sum += count(next);
    }
    known.set(element, sum);
    return sum;
  };
  return count(root);
}

function getReferencedElements(element: Element, byId: Map<string, Element>): Element[] {
  return [...element.attributes].flatMap(({ localName, value }) => {
    const id =
      localName === 'href'
        ? value.trim().slice(1)
        : /url\s*\(\s*["']?#([^"')\s]+)/.exec(value)?.[1];
    const found = byId.get(id ?? '');
    return found ? [found] : [];
  });
}
